#include "analyzer/facts/units.h"

#include <algorithm>
#include <array>

// A repository holds several programs: services, packages, examples. Names and settings of one mean nothing in another
// beside it, while those of the folders around a program are its own.

namespace padlint {
namespace {

using namespace std::string_view_literals;

constexpr std::array boundaries = {"fixtures"sv, "__fixtures__"sv, "examples"sv,
                                   "example"sv,  "testdata"sv,     "samples"sv};

/// The end of the innermost folder of fixtures or examples in a path, with its '/'; 0 for none.
std::size_t boundary_in(std::string_view path) {
  std::size_t end = 0;
  for (std::size_t at = 0, slash = path.find('/'); slash != std::string_view::npos;
       at = slash + 1, slash = path.find('/', at))
    if (std::ranges::find(boundaries, path.substr(at, slash - at)) != boundaries.end())
      end = slash + 1;
  return end;
}

} // namespace

std::string unit_of(std::string_view path, std::span<const std::string> folders) {
  const std::size_t boundary = boundary_in(path);
  for (std::size_t end = path.rfind('/') + 1; end > boundary; end = path.substr(0, end - 1).rfind('/') + 1)
    if (std::ranges::binary_search(folders, path.substr(0, end)))
      return std::string(path.substr(0, end));
  return std::string(path.substr(0, boundary));
}

bool reaches(std::string_view here, std::string_view there) {
  return here.starts_with(there) && boundary_in(here) == boundary_in(there);
}

} // namespace padlint
