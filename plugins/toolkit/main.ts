#!/usr/bin/env node
import { outOfDescriptorsError } from '../../kernel/index.ts';
import { keepCode } from './code/own-code.ts';
import { StandardError } from './program/standard-error/standard-error.ts';

const errors = new StandardError(process.env);

const { runCommandLine } = await import('./program/command-line.ts').catch((error: unknown) => {
  const exhausted = outOfDescriptorsError(error);
  if (exhausted === undefined) throw error;
  errors.report('error', `toolkit: ${exhausted.code}: ${exhausted.message}\n`, {
    message: exhausted.message,
    meta: { code: exhausted.code },
  });
  process.exit(1);
});
const code = await runCommandLine(process.argv.slice(2), process.env, errors, keepCode);
// The output has been read, or its reader has ended.
process.exit(code);
