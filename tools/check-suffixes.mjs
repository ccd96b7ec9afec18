// Fails on a source file whose suffix is not in tools/file-suffixes.mjs.
import { suffixProblem } from './file-suffixes.mjs';
import { readProjects } from './workspace.mjs';

const problems = readProjects().flatMap(({ files }) =>
  files.flatMap(({ path }) => {
    const problem = suffixProblem(path);
    return problem === undefined ? [] : [`${path}: ${problem}`];
  }),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log('suffixes: every source file has a known suffix or none');
