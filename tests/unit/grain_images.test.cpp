#include <zlib.h>

#include <cmath>

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/voxel_field.hpp"
#include "host/grains/voxel_image.hpp"
#include "host/packing/random.hpp"
#include "scratch_folder.hpp"

namespace scree::grains::grain_images_test {

using test::error_of;

/// A grain in an image: a body turned and moved.
struct Shown {
  const Solid& solid;
  clumps::PrincipalFrame frame;
  std::uint32_t label;
};

Shown shown(const Solid& solid, const Real3& center, std::uint32_t label, packing::Random& random) {
  const auto orientation = clumps::random_orientation(random);
  clumps::PrincipalFrame frame{center, {}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Real3 unit{};
    unit[axis] = 1;
    frame.axes[axis] = clumps::turned(orientation, unit);
  }
  return {solid, frame, label};
}

/// What a scan whose voxels are all or nothing shows.
VoxelImage image_of(const std::vector<Shown>& grains, const std::array<std::uint32_t, 3>& size, const Real3& spacing) {
  VoxelImage image{size, spacing, {}};
  for (std::uint32_t k = 0; k < size[2]; ++k) {
    for (std::uint32_t j = 0; j < size[1]; ++j) {
      for (std::uint32_t i = 0; i < size[0]; ++i) {
        const Real3 at = {spacing[0] * i, spacing[1] * j, spacing[2] * k};
        std::uint32_t label = 0;
        for (const Shown& grain : grains) {
          const Placed body{grain.solid, grain.frame};
          if (grain.solid.distance(body.in_body(at)) < 0) label = grain.label;
        }
        image.label.push_back(label);
      }
    }
  }
  return image;
}

/// The voxels as bytes of a type.
std::string bytes_of(const VoxelImage& image, int bytes, bool big_endian) {
  std::string all;
  for (const std::uint64_t label : image.label) {
    for (int k = 0; k < bytes; ++k) {
      all.push_back(static_cast<char>(label >> (8 * (big_endian ? bytes - 1 - k : k)) & 0xffU));
    }
  }
  return all;
}

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

VoxelImage small_image() {
  VoxelImage image{{4, 3, 2}, {0.5, 0.5, 0.25}, {}};
  for (std::uint32_t n = 0; n < 24; ++n) image.label.push_back(n % 5 == 0 ? 250 : n % 3);
  return image;
}

std::string nrrd(const std::string& type, const std::string& encoding, const std::string& endian,
                 const std::string& more = "spacings: 0.5 0.5 0.25\n") {
  return "NRRD0004\n# by hand\ntype: " + type + "\ndimension: 3\nsizes: 4 3 2\nencoding: " + encoding + "\n" +
         (endian.empty() ? "" : "endian: " + endian + "\n") + more + "who:=somebody\n\n";
}

TEST(GrainImages, NrrdIsReadInAllItsTypesAndOrders) {
  const VoxelImage image = small_image();
  const std::vector<std::pair<std::string, int>> types = {
      {"unsigned char", 1}, {"short", 2}, {"uint16", 2}, {"int", 4}, {"uint32_t", 4}, {"unsigned long long", 8}};
  for (const auto& [type, size] : types) {
    for (const bool big : {false, true}) {
      const std::string bytes = bytes_of(image, size, big), endian = size == 1 ? "" : (big ? "big" : "little");
      const auto raw = parse_nrrd(nrrd(type, "raw", endian) + bytes, {}, "a.nrrd");
      const auto packed = parse_nrrd(nrrd(type, "gzip", endian) + gzipped(bytes), {}, "a.nrrd");
      EXPECT_EQ(raw.label, image.label) << type;
      EXPECT_EQ(packed.label, image.label) << type;
      EXPECT_EQ(raw.size, image.size);
      EXPECT_EQ(raw.spacing, image.spacing);
    }
  }
}

TEST(GrainImages, SpaceDirectionsAndAFileBesideTheHeaderAreRead) {
  const test::ScratchFolder folder;
  const VoxelImage image = small_image();
  test::write_text(folder / "a.raw", bytes_of(image, 2, false));
  test::write_text(folder / "a.nhdr", nrrd("ushort", "raw", "little",
                                           "space directions: (0,0.5,0) (-0.5,0,0) (0,0,0.25)\ndata file: a.raw\n"));
  const auto read = read_voxel_image(folder / "a.nhdr");
  EXPECT_EQ(read.label, image.label);
  EXPECT_EQ(read.spacing, image.spacing);
}

// Left-handed axes mirror the grains, so their voxels are put in the opposite order; axes that are only turned are not.
TEST(GrainImages, LeftHandedAxesMakeNoMirrorImages) {
  const std::string bytes = "\x01\x02\x03\x04\x05\x06";
  const auto labels = [&](const std::string& directions, const std::string& space = "") {
    return parse_nrrd("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 2 1\nencoding: raw\nspace directions: " +
                          directions + "\n" + space + "\n" + bytes,
                      {}, "a.nrrd")
        .label;
  };
  const std::vector<std::uint32_t> as_they_are{1, 2, 3, 4, 5, 6}, mirrored{3, 2, 1, 6, 5, 4};
  EXPECT_EQ(labels("(1,0,0) (0,1,0) (0,0,1)"), as_they_are);
  EXPECT_EQ(labels("(-1,0,0) (0,-1,0) (0,0,1)"), as_they_are) << "half a turn about z";
  EXPECT_EQ(labels("(-1,0,0) (0,1,0) (0,0,1)"), mirrored);
  EXPECT_EQ(labels("(0,1,0) (1,0,0) (0,0,1)"), mirrored);
  const std::string along = "(1,0,0) (0,1,0) (0,0,1)", flipped = "(-1,0,0) (0,1,0) (0,0,1)";
  for (const std::string space : {"left-anterior-superior", "LAS", "3D-left-handed"}) {
    EXPECT_EQ(labels(along, "space: " + space + "\n"), mirrored) << space;
    EXPECT_EQ(labels(flipped, "space: " + space + "\n"), as_they_are) << space;
  }
  for (const std::string space : {"left-posterior-superior", "RAS", "scanner-xyz", "3D-right-handed"}) {
    EXPECT_EQ(labels(along, "space: " + space + "\n"), as_they_are) << space;
    EXPECT_EQ(labels(flipped, "space: " + space + "\n"), mirrored) << space;
  }
}

TEST(GrainImages, RawVoxelsAreReadByTheirHeader) {
  const test::ScratchFolder folder;
  const VoxelImage image = small_image();
  test::write_text(folder / "a.raw", "1234567" + bytes_of(image, 4, true));
  test::write_text(folder / "a.json", R"({ "file": "a.raw", "size": [4, 3, 2], "type": "int32", "endian": "big",
                                           "spacing": [0.5, 0.5, 0.25], "skip": 7 })");
  EXPECT_EQ(read_voxel_image(folder / "a.json").label, image.label);
  test::write_text(folder / "b.raw", gzipped(bytes_of(image, 1, true)));
  test::write_text(folder / "b.json", R"({ "file": "b.raw", "size": [4, 3, 2], "type": "uint8", "encoding": "gzip" })");
  EXPECT_EQ(read_voxel_image(folder / "b.json").label, image.label);
  EXPECT_EQ(read_voxel_image(folder / "b.json").spacing, (Real3{1, 1, 1}));
}

TEST(GrainImages, FaultsAreNamed) {
  const std::string bytes = bytes_of(small_image(), 2, false);
  const auto error = [](const std::string& content) {
    return error_of([&] { (void)parse_nrrd(content, {}, "a.nrrd"); });
  };
  EXPECT_IN("a.nrrd: is no NRRD file: it does not start with \"NRRD000\"", error("P5\n"));
  EXPECT_IN("is truncated: 24 voxels of type int16 need 48 bytes, there are 47",
            error(nrrd("short", "raw", "little") + bytes.substr(1)));
  EXPECT_IN("has bytes left over", error(nrrd("short", "raw", "little") + bytes + "x"));
  EXPECT_IN("a label must be from 0 to 4294967295", error(nrrd("int8", "raw", "") + std::string(24, '\x80')));
  EXPECT_IN("labels are whole numbers of 8 to 64 bits (int8, uint8, ... uint64), got \"float\"",
            error(nrrd("float", "raw", "little") + bytes));
  EXPECT_IN("has no field \"endian\" in its header", error(nrrd("short", "raw", "") + bytes));
  EXPECT_IN("line 6: encoding: must be raw or gzip, got bzip2", error(nrrd("short", "bzip2", "little") + bytes));
  EXPECT_IN("line 8: \"none\" is not a number", error(nrrd("short", "raw", "little", "spacings: none 1 1\n") + bytes));
  EXPECT_IN("spacing: must be > 0, got nan", error(nrrd("short", "raw", "little", "spacings: nan 1 1\n") + bytes));
  EXPECT_IN("must be at right angles",
            error(nrrd("short", "raw", "little", "space directions: (1,0,0) (1,1,0) (0,0,1)\n") + bytes));
  EXPECT_IN("one file beside the header is read", error(nrrd("short", "raw", "little", "data file: x%d.raw 1 9 1\n")));
  const std::string packed = gzipped(bytes);
  EXPECT_IN("is truncated", error(nrrd("short", "gzip", "little") + packed.substr(0, packed.size() / 2)));
  EXPECT_IN("is damaged", error(nrrd("short", "gzip", "little") + "not compressed at all"));
  EXPECT_IN("has bytes left over: its header says 48 bytes",
            error(nrrd("short", "gzip", "little") + gzipped(bytes + "x")));
  EXPECT_IN("has bytes left over: its header says 24 bytes", error(nrrd("uchar", "gzip", "") + packed));
  const auto json_error = [](const std::string& content) {
    return error_of([&] { (void)parse_raw_header(content, {}, "a.json"); });
  };
  EXPECT_IN("a.json: is not JSON", json_error("{"));
  EXPECT_IN("a.json: there is no key \"sizes\"; did you mean \"size\"?", json_error(R"({ "sizes": [1, 1, 1] })"));
  EXPECT_IN("a.json: size: must be three whole numbers, the voxels along x, y and z",
            json_error(R"({ "size": [1, 1, -1] })"));
  EXPECT_IN("a.json: type: is missing", json_error(R"({ "size": [1, 1, 1] })"));
  EXPECT_IN("an image of grains ends in .nrrd, .nhdr or .json", error_of([] { (void)read_voxel_image("a.tif"); }));
  EXPECT_IN("none.nrrd: does not exist", error_of([] { (void)read_voxel_image("none.nrrd"); }));
}

// A brute-force search over all pairs of voxels.
TEST(GrainImages, DistancesOfVoxelsAreExact) {
  VoxelBlock block{{9, 8, 7}, {1, 1, 1}, std::vector<bool>(9 * 8 * 7)};
  packing::Random random(2, 0);
  for (std::size_t at = 0; at < block.inside.size(); ++at) block.inside[at] = random.uniform() < 0.3;
  const auto distances = voxel_distances(block);
  const auto place = [&](std::size_t at) {
    return Real3{static_cast<double>(at % 9), static_cast<double>(at / 9 % 8), static_cast<double>(at / 72)};
  };
  for (std::size_t at = 0; at < distances.size(); ++at) {
    double least = 1e9;
    for (std::size_t other = 0; other < distances.size(); ++other) {
      if (block.inside[at] == block.inside[other]) continue;
      least = std::min(least, geometry::length(geometry::subtract(place(at), place(other))));
    }
    EXPECT_NEAR(distances[at], block.inside[at] ? 0.5 - least : least - 0.5, 1e-12);
  }
}

// A scan of several grains. Voxels that are all or nothing leave noise of a tenth of a voxel; its effect on volume and
// inertia is that of the number of voxels, a few parts in a thousand.
TEST(GrainImages, EachGrainOfAScanIsFound) {
  packing::Random random(21, 0);
  const auto sphere = make_sphere(10), capsule = make_capsule(7, 8), ellipsoid = make_superellipsoid({12, 9, 7}, 1, 1);
  const Real3 spacing = {0.5, 0.5, 0.5};
  const auto half = [](const Real3& at) { return geometry::scaled(at, 0.5); };
  const auto small_sphere = make_sphere(5), small_capsule = make_capsule(3.5, 4),
             small_ellipsoid = make_superellipsoid({6, 4.5, 3.5}, 1, 1);
  const std::vector<Shown> grains = {shown(*small_sphere, half({18.3, 17.9, 20.2}), 3, random),
                                     shown(*small_capsule, half({50.1, 20.4, 21.7}), 9, random),
                                     shown(*small_ellipsoid, half({32.2, 49.6, 20.9}), 70'000, random)};
  const VoxelImage image = image_of(grains, {72, 70, 42}, spacing);
  const auto labels = labels_of(image);
  ASSERT_EQ(labels.size(), 3u);
  const std::vector<const Solid*> at_scale_one = {sphere.get(), capsule.get(), ellipsoid.get()};
  for (std::size_t n = 0; n < grains.size(); ++n) {
    std::vector<std::string> warnings;
    // A factor of 2: from the unit of the file to metres.
    const auto solid = make_voxel_solid(image, labels.at(grains[n].label), grains[n].label, 2, "scan", warnings);
    EXPECT_TRUE(warnings.empty());
    const auto [shape, report] = make_grain(*solid, {1, 0.9}, "scan");
    const auto exact = clumps::principal_frame(at_scale_one[n]->moments());
    EXPECT_NEAR(shape.volume / at_scale_one[n]->moments().volume, 1, 0.01);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(shape.inertia[k] / exact.inertia[k], 1, 0.02);
    const Real3 center = geometry::scaled(grains[n].frame.center, 2);
    EXPECT_LT(geometry::length(geometry::subtract(shape.center, center)), 0.1);
    EXPECT_NEAR(report.grid_volume / shape.volume, 1, 1e-3);
    EXPECT_LT(report.surface_rms, 0.02);  // of the template against the smoothed surface
    double squares = 0;
    for (const Real3& node : shape.node) {
      const Real3 in_image = geometry::add(clumps::turned(shape.to_source, node), shape.center);
      const Placed body{*at_scale_one[n], {center, {}, grains[n].frame.axes}};
      const double off = at_scale_one[n]->distance(body.in_body(in_image));
      squares += off * off;
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(shape.node.size())), 0.12);  // voxels, against the true shape
  }
}

TEST(GrainImages, OtherPiecesAndCutsAreReported) {
  packing::Random random(22, 0);
  const auto sphere = make_sphere(8), crumb = make_sphere(1.5);
  const std::vector<Shown> grains = {shown(*sphere, {6.2, 14, 14.3}, 5, random), shown(*crumb, {24, 14, 14}, 5, random),
                                     shown(*crumb, {24, 24, 24}, 6, random)};
  const VoxelImage image = image_of(grains, {30, 29, 29}, {1, 1, 1});
  const auto labels = labels_of(image);
  std::vector<std::string> warnings;
  const auto solid = make_voxel_solid(image, labels.at(5), 5, 1, "label 5", warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_IN("label 5: 19 of ", warnings[0]);
  EXPECT_IN(" voxels do not touch the largest piece and were left out", warnings[0]);
  EXPECT_IN("label 5: touches a face of the image, which may have cut it", warnings[1]);
  EXPECT_IN("label 6: is too small for a grain: its largest piece has 19 voxels, 30 are needed",
            error_of([&] { (void)make_voxel_solid(image, labels.at(6), 6, 1, "label 6", warnings); }));
}

/// Boxes of voxels with the label 1: their first voxels and their numbers of voxels along each axis.
VoxelImage boxes_of_voxels(const std::vector<std::array<std::array<std::uint32_t, 3>, 2>>& boxes) {
  VoxelImage image{{50, 30, 20}, {1, 1, 2}, std::vector<std::uint32_t>(std::size_t{50} * 30 * 20)};
  for (const auto& [first, size] : boxes) {
    for (std::uint32_t k = first[2]; k < first[2] + size[2]; ++k) {
      for (std::uint32_t j = first[1]; j < first[1] + size[1]; ++j) {
        for (std::uint32_t i = first[0]; i < first[0] + size[0]; ++i) {
          image.label[(std::size_t{k} * 30 + j) * 50 + i] = 1;
        }
      }
    }
  }
  return image;
}

std::vector<std::string> warnings_of(const VoxelImage& image) {
  std::vector<std::string> warnings;
  (void)make_voxel_solid(image, labels_of(image).at(1), 1, 0.5, "label 1", warnings);
  return warnings;
}

// A plate of two layers is not what its voxels are after smoothing; a block of twelve layers is, but for its edges.
TEST(GrainImages, AVolumeThatSmoothingChangesIsReported) {
  const auto warnings = warnings_of(boxes_of_voxels({{{{5, 5, 8}, {20, 2, 8}}}}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("label 1: its volume is ", warnings[0]);
  EXPECT_IN(" % less than that of its voxels", warnings[0]);
  EXPECT_TRUE(warnings_of(boxes_of_voxels({{{{5, 5, 4}, {24, 14, 12}}}})).empty());
}

// Two blocks of 12 x 12 x 12 and 8 x 12 x 12 voxels on a neck of one voxel. A pore is no part of its own.
TEST(GrainImages, PartsThatSmoothingCutsOffAreReported) {
  const auto warnings = warnings_of(
      boxes_of_voxels({{{{5, 5, 4}, {12, 12, 12}}}, {{{17, 11, 10}, {8, 1, 1}}}, {{{25, 5, 4}, {8, 12, 12}}}}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("label 1: smoothing cuts it into 2 parts, which move as one grain; the largest one has 60", warnings[0]);
  VoxelImage hollow = boxes_of_voxels({{{{3, 3, 2}, {30, 24, 16}}}});
  for (std::uint32_t k = 7; k < 13; ++k) {
    for (std::uint32_t j = 9; j < 19; ++j) {
      for (std::uint32_t i = 12; i < 24; ++i) hollow.label[(std::size_t{k} * 30 + j) * 50 + i] = 0;
    }
  }
  EXPECT_TRUE(warnings_of(hollow).empty());
}

}  // namespace scree::grains::grain_images_test
