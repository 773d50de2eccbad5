#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "scree/errors.hpp"

namespace scree::test {

/// The message of the CaseError that `work` throws.
template <class Work>
std::string error_of(Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const CaseError& error) { return error.what(); }
  return "no error";
}

/// Expects `work` to throw a CaseError whose first problem has this path, and this part in its message.
template <class Work>
void expect_first_problem(Work&& work, const std::string& path, const std::string& part) {
  try {
    std::forward<Work>(work)();
    ADD_FAILURE() << "no error at " << path;
  } catch (const CaseError& error) {
    EXPECT_EQ(error.problems().front().path, path) << error.what();
    EXPECT_NE(error.problems().front().message.find(part), std::string::npos) << error.what();
  }
}

}  // namespace scree::test

/// Expects a text to contain a part, and shows the text if it does not.
#define EXPECT_IN(part, text)                                  \
  do {                                                         \
    const std::string& whole_ = (text);                        \
    EXPECT_NE(whole_.find(part), std::string::npos) << whole_; \
  } while (false)
