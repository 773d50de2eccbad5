#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "host/commands/host_isa.hpp"
#include "scree/errors.hpp"

namespace scree::host_isa_test {

/// Sets SCREE_ISA for one test.
class HostIsa : public testing::Test {
 protected:
  void TearDown() override { unsetenv("SCREE_ISA"); }
};

TEST_F(HostIsa, IsTheLastOneCompiledThatCanRun) {
  unsetenv("SCREE_ISA");
  EXPECT_NE(compiled_isas().find(host_isa()), std::string::npos);
  setenv("SCREE_ISA", "", 1);
  EXPECT_NE(compiled_isas().find(host_isa()), std::string::npos);
}

TEST_F(HostIsa, CanBeChosenByTheEnvironment) {
  std::string first = compiled_isas();
  first = first.substr(0, first.find(','));
  setenv("SCREE_ISA", first.c_str(), 1);
  EXPECT_EQ(host_isa(), first);
}

TEST_F(HostIsa, ThatIsNotCompiledIsRefused) {
  setenv("SCREE_ISA", "x86-64-v9", 1);
  try {
    static_cast<void>(host_isa());
    ADD_FAILURE() << "it was taken";
  } catch (const BackendError& error) {
    EXPECT_EQ(std::string(error.what()),
              "environment variable SCREE_ISA: \"x86-64-v9\" is none of the instruction sets of this program, " +
                  compiled_isas());
  }
}

}  // namespace scree::host_isa_test
