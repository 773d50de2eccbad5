#include "kernels/boundaries/mesh_tree.hpp"

#include <algorithm>

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr std::size_t most_in_leaf = 2;

/// The centre of a facet beside its number, so that splits read memory in order.
struct FacetCentre {
  Real3 centre;  ///< [m] three times the centre
  std::uint32_t facet;
};

class MeshTree {
 public:
  MeshTree(const TriangleMesh& mesh, std::uint32_t first_feature, std::vector<BoxNode>& nodes,
           std::vector<std::uint32_t>& leaf_feature)
      : mesh_(mesh),
        first_feature_(first_feature),
        nodes_(nodes),
        leaf_feature_(leaf_feature),
        first_node_(nodes.size()) {
    const auto n = static_cast<std::uint32_t>(mesh.triangles.size());
    facets_.reserve(n);
    for (std::uint32_t t = 0; t < n; ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      const Real3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
      facets_.push_back({{p[0] + q[0] + r[0], p[1] + q[1] + r[1], p[2] + q[2] + r[2]}, t});
    }
    nodes_.reserve(first_node_ + n);
    leaf_feature_.reserve(leaf_feature_.size() + n);
    if (n > 0) { add(0, n); }
  }

 private:
  struct Box {
    Real3 min, max;
    void take(const Real3& x) {
      for (std::size_t k = 0; k < 3; ++k) {
        min[k] = std::min(min[k], x[k]);
        max[k] = std::max(max[k], x[k]);
      }
    }
  };

  /// Adds the node of the facets [begin, end) and all nodes below it. Returns its box.
  Box add(std::size_t begin, std::size_t end) {
    const std::size_t self = nodes_.size();
    nodes_.push_back({});
    Box box;
    if (end - begin <= most_in_leaf) {
      nodes_[self].first = static_cast<std::uint32_t>(leaf_feature_.size());
      nodes_[self].count = static_cast<std::uint32_t>(end - begin);
      box = add_leaf(begin, end);
    } else {
      const std::size_t middle = begin + (end - begin) / 2;
      halve(begin, middle, end);
      box = add(begin, middle);
      const Box other = add(middle, end);
      box.take(other.min);
      box.take(other.max);
    }
    nodes_[self].min = {box.min[0], box.min[1], box.min[2]};
    nodes_[self].max = {box.max[0], box.max[1], box.max[2]};
    nodes_[self].skip = static_cast<std::uint32_t>(nodes_.size() - first_node_);
    return box;
  }

  Box add_leaf(std::size_t begin, std::size_t end) {
    const Real3& corner = mesh_.vertices[mesh_.triangles[facets_[begin].facet][0]];
    Box box{corner, corner};
    for (std::size_t i = begin; i < end; ++i) {
      leaf_feature_.push_back(first_feature_ + facets_[i].facet);
      for (const std::uint32_t v : mesh_.triangles[facets_[i].facet]) { box.take(mesh_.vertices[v]); }
    }
    std::sort(leaf_feature_.end() - std::ptrdiff_t(end - begin), leaf_feature_.end());
    return box;
  }

  /// Puts the lower half of [begin, end) before `middle`, along the longest side of the box of their centres. Equal
  /// centres are ordered by number, so that the halves depend on the mesh only.
  void halve(std::size_t begin, std::size_t middle, std::size_t end) {
    Box centres{facets_[begin].centre, facets_[begin].centre};
    for (std::size_t i = begin; i < end; ++i) { centres.take(facets_[i].centre); }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (centres.max[k] - centres.min[k] > centres.max[axis] - centres.min[axis]) { axis = k; }
    }
    const auto at = [&](std::size_t i) { return facets_.begin() + std::ptrdiff_t(i); };
    std::nth_element(at(begin), at(middle), at(end), [axis](const FacetCentre& p, const FacetCentre& q) {
      return p.centre[axis] != q.centre[axis] ? p.centre[axis] < q.centre[axis] : p.facet < q.facet;
    });
  }

  const TriangleMesh& mesh_;
  std::uint32_t first_feature_;
  std::vector<BoxNode>& nodes_;
  std::vector<std::uint32_t>& leaf_feature_;
  std::size_t first_node_;
  std::vector<FacetCentre> facets_;
};

}  // namespace

void append_mesh_tree(const TriangleMesh& mesh, std::uint32_t first_feature, std::vector<BoxNode>& nodes,
                      std::vector<std::uint32_t>& leaf_feature) {
  MeshTree(mesh, first_feature, nodes, leaf_feature);
}

}  // namespace scree::inline SCREE_BACKEND
