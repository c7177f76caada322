import { formatGithub } from './format-github.ts';
import { formatJson } from './format-json.ts';
import type { FormatName } from './format-names.ts';
import { formatSarif } from './format-sarif.ts';
import { formatText } from './format-text.ts';

/** Formatters by name. Each returns the whole of standard output. */
export const formats = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
} as const satisfies Readonly<Record<FormatName, unknown>>;
