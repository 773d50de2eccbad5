#include "host/case/case_files.hpp"

#include <utility>

#include "host/case/io/described.hpp"
#include "host/case/io/json.hpp"

namespace scree {
namespace {

/// Walks structs along the describe() lists, as the writer does.
class Walk {
 public:
  template <class T>
  void look(const T& value, const Rule& rule = {}) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (rule.existing_file) { found.push_back({keys_, value}); }
    } else if constexpr (is_optional<T>::value) {
      if (value) { look(*value, rule); }
    } else if constexpr (is_named<T>::value) {
      for (const auto& [name, item] : value) { look_below(name, item, {}); }
    } else if constexpr (is_array<T>::value || is_vector<T>::value) {
      if constexpr (!std::is_arithmetic_v<typename T::value_type>) {
        for (std::size_t i = 0; i < value.size(); ++i) { look_below(std::to_string(i), value[i], rule); }
      }
    } else if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>) {
      look_at_described(value);
    }
  }

  std::vector<CaseFile> found;

 private:
  template <class T>
  void look_below(std::string_view key, const T& value, const Rule& rule) {
    keys_.emplace_back(key);
    look(value, rule);
    keys_.pop_back();
  }

  template <class T>
  void look_at_described(const T& value) {
    const auto description = describe(Of<T>{});
    if constexpr (DescribedAs<T, Single>) {
      look(value.*(description.field.member), description.field.rule);
    } else if constexpr (DescribedAs<T, Row>) {
      std::size_t i = 0;
      std::apply([&](const auto&... f) { (look_below(std::to_string(i++), value.*(f.member), f.rule), ...); },
                 description.fields);
    } else if constexpr (DescribedAs<T, Keyed>) {
      look_at_keyed(value);
    } else {
      look_at_fields(value);
    }
  }

  template <class T>
  void look_at_fields(const T& value) {
    const auto each = [&]<class F>(const F& f) {
      if constexpr (is_kind<Inlined, F>::value) {
        using Variant = std::remove_cvref_t<decltype(value.*(f.member))>;
        if constexpr (DescribedAs<Variant, Keyed>) {
          look_at_keyed(value.*(f.member));
        } else {
          std::visit([&](const auto& kind) { look_at_fields(kind); }, value.*(f.member));
        }
      } else {
        keys_.emplace_back(f.key);
        if (f.inner.empty()) {
          look(value.*(f.member), f.rule);
        } else {
          look_below(f.inner, value.*(f.member), f.rule);
        }
        keys_.pop_back();
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, describe(Of<T>{}).fields);
  }

  template <class T>
  void look_at_keyed(const T& value) {
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      if (!std::holds_alternative<A>(value)) { return; }
      if (alternative.name.empty()) {
        look(std::get<A>(value));
      } else {
        look_below(alternative.name, std::get<A>(value), {});
      }
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
  }

  std::vector<std::string> keys_;
};

template <class T>
std::vector<CaseFile> found_in(const T& value) {
  Walk walk;
  walk.look(value);
  return std::move(walk.found);
}

}  // namespace

std::string CaseFile::path() const {
  std::string path;
  for (const std::string& key : keys) { path = below(path, key); }
  return path;
}

std::vector<CaseFile> files_of(const Case& input) { return found_in(input); }

std::vector<CaseFile> files_of(const ProbeOutput& probe) { return found_in(probe); }

}  // namespace scree
