#include "analyzer/cli/commands.h"

int main(int count, char** words) { return padlint::run_program(count, words); }
