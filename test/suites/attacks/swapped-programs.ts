import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Swap } from './swap.ts';

/** A Python script that leaves a mark where it runs. */
export const marking = 'from pathlib import Path\nPath("mark").write_text("")\n';

/** Expects that no marking script has run in the folder. */
export const noMark = async (folder: string): Promise<void> => {
  expect(existsSync(path.join(folder, 'mark')), 'the swapped program has run').to.equal(false);
};

/** Scripts and modules that are rewritten while a person is asked about the program that runs them. */
export const swappedPrograms: readonly Swap[] = [
  {
    id: 'A16',
    subject: 'system_execute',
    attempt: 'runs the script that was written while the person thought',
    before: 'the new script ran',
    folder: 'script',
    files: { 'run.py': 'print("shown")\n' },
    tool: 'system_execute',
    parameters: { command: 'python3', arguments: ['run.py'], working_directory: 'things/script' },
    async swap(_folder, server) {
      const parameters = { path: 'things/script/run.py', content: marking, overwrite: true };
      expect(await server.call('fs_write_file', parameters)).to.include({ isError: false });
    },
    changed: /its "run\.py" \(from file of 15 bytes, sha256 \w{12} to file of/,
    unharmed: noMark,
  },
  {
    subject: 'sh -c',
    attempt: 'runs a script that stands in the text of an argument',
    before: 'the new script ran',
    folder: 'shell',
    files: { 'run.py': 'print("shown")\n' },
    tool: 'system_execute',
    parameters: { command: 'sh', arguments: ['-c', 'true && python3 "run.py"'], working_directory: 'things/shell' },
    swap: (folder) => writeFile(path.join(folder, 'run.py'), marking),
    changed: /its "run\.py"/,
    unharmed: noMark,
  },
  {
    subject: 'python3 -m',
    attempt: 'runs a module that is named without its ending',
    before: 'the new module ran',
    folder: 'module',
    files: { 'lib/work.py': 'print("shown")\n' },
    tool: 'system_execute',
    parameters: { command: 'python3', arguments: ['-m', 'lib.work'], working_directory: 'things/module' },
    swap: (folder) => writeFile(path.join(folder, 'lib/work.py'), marking),
    changed: /its "lib\/work\.py"/,
    unharmed: noMark,
  },
  {
    subject: 'environment of a program',
    attempt: 'runs a module that a variable names',
    before: 'the new module ran',
    folder: 'variables',
    files: { 'first.cjs': '' },
    tool: 'system_execute',
    parameters: {
      command: 'node',
      arguments: ['-p', '1'],
      environment: { NODE_OPTIONS: '--require=./first.cjs' },
      working_directory: 'things/variables',
    },
    swap: (folder) => writeFile(path.join(folder, 'first.cjs'), 'require("fs").writeFileSync("mark", "")'),
    changed: /its "first\.cjs" \(from file of 0 bytes/,
    unharmed: noMark,
  },
  {
    subject: 'standard input of a program',
    attempt: 'runs a script that the input names',
    before: 'the new script ran',
    folder: 'input',
    files: { 'run.py': 'print("shown")\n' },
    tool: 'system_execute',
    parameters: { command: 'sh', stdin: 'python3 run.py\n', working_directory: 'things/input' },
    swap: (folder) => writeFile(path.join(folder, 'run.py'), marking),
    changed: /its "run\.py"/,
    unharmed: noMark,
  },
  {
    subject: 'a command tool',
    attempt: 'runs the script in its arguments, written meanwhile',
    before: 'the new script ran',
    folder: 'command',
    files: { 'say.sh': 'echo shown\n' },
    tool: 'things_print',
    parameters: { script: 'say.sh' },
    swap: (folder) => writeFile(path.join(folder, 'say.sh'), ': > mark\n'),
    changed: /its "say\.sh"/,
    unharmed: noMark,
  },
];
