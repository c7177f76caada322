#!/usr/bin/env node
import { outOfDescriptors } from '../../kernel/index.ts';
import { keepCode } from './code/own-code.ts';

const { runCommandLine } = await import('./program/command-line.ts').catch((error: unknown) => {
  const exhausted = outOfDescriptors(error);
  if (exhausted === undefined) throw error;
  process.stderr.write(`toolkit: ${exhausted.code}: ${exhausted.message}\n`);
  process.exit(1);
});
const code = await runCommandLine(process.argv.slice(2), process.env, keepCode);
// What was to be read has been, or its reader has gone.
process.exit(code);
