#pragma once

#include <cstdlib>
#include <iostream>
#include <utility>

#include "scree/errors.hpp"

/// Gives an input to a reader. The reader may accept it, or refuse it by a CaseError, or by a StateError if it is a
/// file of a run. Anything else is a finding.
namespace scree::fuzz {

inline void expect(bool holds, const char* what) {
  if (holds) { return; }
  std::cerr << "finding: " << what << std::endl;
  std::abort();
}

template <class Work>
void answer(Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const StateError& error) {
    expect(*error.what() != '\0', "an error without a sentence");
  } catch (const CaseError& error) {
    expect(!error.problems().empty(), "an error without a problem");
    for (const InputProblem& problem : error.problems()) {
      expect(!problem.message.empty(), "a problem without a sentence");
    }
  }
}

}  // namespace scree::fuzz
