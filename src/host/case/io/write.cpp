#include <cmath>
#include <filesystem>

#include "host/case/io/described.hpp"
#include "host/case/io/json.hpp"
#include "host/case/io/probe_keys.hpp"

namespace scree {
namespace {

/// Turns structs into JSON along the describe() lists. Empty and infinite values are left out.
class Writer {
 public:
  explicit Writer(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  template <class T>
  Json write(const T& value, const Rule& rule = {}) const {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!rule.existing_file) return value;
      return folder_ ? std::filesystem::absolute(*folder_ / value).lexically_normal().string() : std::string();
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (is_optional<T>::value) {
      return value ? write(*value, rule) : Json();
    } else if constexpr (is_named<T>::value) {
      Json all = Json::object();
      for (const auto& [name, item] : value) all[name] = write(item);
      return all;
    } else if constexpr (is_array<T>::value || is_vector<T>::value) {
      Json all = Json::array();
      for (const auto& item : value) all.push_back(write(item, rule));
      return all;
    } else {
      return write_described(value);
    }
  }

 private:
  template <class T>
  Json write_described(const T& value) const {
    const auto description = describe(Of<T>{});
    if constexpr (std::is_enum_v<T>) {
      for (const auto& [word, item] : description.words) {
        if (item == value) return word;
      }
      return nullptr;
    } else if constexpr (DescribedAs<T, Single>) {
      return write(value.*(description.field.member), description.field.rule);
    } else if constexpr (DescribedAs<T, Row>) {
      Json all = Json::array();
      std::apply([&](const auto&... f) { (all.push_back(write(value.*(f.member), f.rule)), ...); }, description.fields);
      return all;
    } else if constexpr (DescribedAs<T, Keyed>) {
      Json all = Json::object();
      write_keyed(value, all);
      return all.contains("") ? Json(all[""]) : all;
    } else {
      Json all = Json::object();
      write_fields(value, all);
      return all;
    }
  }

  static void put_field(const FieldNote& f, Json item, Json& out) {
    if (item.is_null() && f.form == Form::automatic) item = "auto";
    if (f.rule.min_items > 0 && item.is_array() && item.empty()) return;  // the other key of a choice is given
    if (item.is_null() || (item.is_number_float() && !std::isfinite(item.get<double>()))) return;
    out[std::string(f.key)] = f.inner.empty() ? std::move(item) : Json{{std::string(f.inner), std::move(item)}};
  }

  template <class T>
  void write_fields(const T& value, Json& out) const {
    const auto each = [&]<class F>(const F& f) {
      if constexpr (is_kind<Inlined, F>::value) {
        write_inlined(value.*(f.member), out);
      } else {
        put_field(f, write(value.*(f.member), f.rule), out);
      }
    };
    std::apply([&](const auto&... f) { (each(f), ...); }, describe(Of<T>{}).fields);
  }

  template <class T>
  void write_inlined(const T& value, Json& out) const {
    if constexpr (DescribedAs<T, Keyed>) {
      write_keyed(value, out);
    } else {
      const auto each = [&]<class A>(const Alternative<A>& alternative) {
        if (!std::holds_alternative<A>(value)) return;
        out[std::string(tag_key)] = alternative.name;
        write_fields(std::get<A>(value), out);
      };
      std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
    }
  }

  /// Writes a variant under the name of its alternative; a value without a key gets the empty key.
  template <class T>
  void write_keyed(const T& value, Json& out) const {
    const auto each = [&]<class A>(const Alternative<A>& alternative) {
      if (std::holds_alternative<A>(value)) out[std::string(alternative.name)] = write(std::get<A>(value));
    };
    std::apply([&](const auto&... a) { (each(a), ...); }, describe(Of<T>{}).alternatives);
  }

  std::optional<std::filesystem::path> folder_;  ///< of the case; none: names of files are left empty
};

}  // namespace

std::string write_case(const Case& input) { return print_json(Writer(input.folder).write(input)) + "\n"; }

std::string keys_of(const ProbeOutput& probe) { return print_json(Writer(std::nullopt).write(probe)); }

}  // namespace scree
