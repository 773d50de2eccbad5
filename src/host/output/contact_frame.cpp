#include "host/output/contact_frame.hpp"

#include <atomic>
#include <cmath>
#include <string>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;

bool finite(const Real3& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void resize(ContactTable& frame, std::size_t n) {
  frame.ends.resize(2 * n);
  frame.first.resize(n), frame.second.resize(n), frame.with_boundary.resize(n), frame.bonded.resize(n);
  frame.point.resize(n), frame.normal.resize(n), frame.normal_force.resize(n), frame.shear_force.resize(n);
  frame.spring.resize(n), frame.overlap.resize(n);
  if (frame.couple) { frame.couple->resize(n); }
  if (frame.cell) { frame.cell_offset.resize(n); }
}

[[noreturn]] void refuse(const TouchingContact& contact, std::uint64_t step) {
  const std::string other = contact.with_boundary ? "boundary number " : "particle ";
  throw KernelFault("the contact of particle " + std::to_string(contact.second) + " with " + other +
                        std::to_string(contact.first) + " is not finite",
                    step, {contact.second});
}

}  // namespace

ContactTable collect_contacts(Engine& engine, bool of_grains) {
  std::vector<ContactDetail> details;
  const std::vector<TouchingContact> contacts = engine.touching_contacts(&details);
  SCREE_EXPECT(details.size() == contacts.size(), "details of each contact");
  ContactTable frame;
  frame.step = engine.step();
  frame.time = engine.time();
  if (of_grains) { frame.couple.emplace(); }
  frame.cell = engine.cell();
  std::optional<CellFrame> folding;
  if (frame.cell) { folding.emplace(*frame.cell); }
  const std::size_t n = contacts.size();
  resize(frame, n);
  std::atomic<std::size_t> wrong{n};  // the first that is not finite
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < n; ++c) {
    const TouchingContact& contact = contacts[c];
    const ContactDetail& detail = details[c];
    if (!finite(contact.force) || !finite(contact.point) || !finite(contact.branch) || !finite(contact.couple) ||
        !finite(detail.center)) {
      for (std::size_t seen = wrong; c < seen && !wrong.compare_exchange_weak(seen, c);) {}
      continue;
    }
    // Frames have the first particle in the cell, and so does this.
    const Real3 shift = folding ? subtract(folding->folded(detail.center), detail.center) : Real3{};
    const Real3 center = add(detail.center, shift), point = add(contact.point, shift);
    const double pressing = dot(contact.force, contact.normal);
    frame.ends[2 * c] = contact.with_boundary ? point : center;
    frame.ends[2 * c + 1] = contact.with_boundary ? center : add(center, contact.branch);
    frame.first[c] = contact.first, frame.second[c] = contact.second;
    frame.with_boundary[c] = contact.with_boundary ? 1 : 0, frame.bonded[c] = detail.bonded ? 1 : 0;
    frame.point[c] = point, frame.normal[c] = contact.normal;
    frame.normal_force[c] = pressing;
    frame.shear_force[c] = along(contact.force, -pressing, contact.normal);
    frame.spring[c] = detail.spring;
    frame.overlap[c] = detail.overlap;
    if (frame.couple) { (*frame.couple)[c] = contact.couple; }
    if (frame.cell) { frame.cell_offset[c] = contact.cell_offset; }
  }
  if (wrong < n) { refuse(contacts[wrong], frame.step); }
  return frame;
}

}  // namespace scree
