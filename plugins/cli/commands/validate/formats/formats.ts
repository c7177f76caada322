import { formatGithub } from './format-github.ts';
import { formatJson } from './format-json.ts';
import { formatSarif } from './format-sarif.ts';
import { formatText } from './format-text.ts';

/** What `--format` may say. Each gives the whole of standard output. */
export const formats = { text: formatText, json: formatJson, sarif: formatSarif, github: formatGithub } as const;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
