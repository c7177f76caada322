#!/usr/bin/env -S node --
import { runCommandLine } from './program/command-line.ts';

const code = await runCommandLine(process.argv.slice(2), process.env);
// Not process.exit at once: what is written to standard output must reach its reader.
process.exitCode = code;
process.stdout.on('error', () => process.exit(code));
process.stdout.write('', () => process.exit(code));
