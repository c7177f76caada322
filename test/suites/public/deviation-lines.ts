import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { checkValue } from '../../../kernel/index.ts';

/** A case in which a tool answers otherwise than its suite on purpose. */
export interface DeviationLine {
  /** The id of the case, as the reader of its suite gives it. */
  readonly id: string;
  /** The standard, decision or document that the answer keeps to, with its section. */
  readonly authority: string;
  /** Why that is right for users of the tool: a sentence. */
  readonly reason: string;
}

/** Most lines, as a part of the cases of all suites that count. */
export const maxLinesShare = 0.15;

const folder = 'test/suites/deviations';
const filled = { type: 'string', pattern: '\\S' };
const linesSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { id: filled, authority: filled, reason: filled },
    required: ['id', 'authority', 'reason'],
    additionalProperties: false,
  },
};

/** Returns the names of the suites that have a file of lines. */
export async function suitesWithLines(): Promise<readonly string[]> {
  const files = await readdir(folder);
  return files.filter((file) => file.endsWith('.yaml')).map((file) => path.basename(file, '.yaml'));
}

/** Returns the lines of a suite by id, none where it has no file. Throws for lines of another form and for an id that comes twice. */
export async function readDeviationLines(suite: string): Promise<ReadonlyMap<string, DeviationLine>> {
  if (!(await suitesWithLines()).includes(suite)) return new Map();
  const file = path.join(folder, `${suite}.yaml`);
  return checkedLines(parse(await readFile(file, 'utf8')), file);
}

/** Returns lines by id. Throws for lines of another form and for an id that comes twice; the message names `file`. */
export function checkedLines(lines: unknown, file: string): ReadonlyMap<string, DeviationLine> {
  const issues = checkValue(linesSchema, lines).map((issue) => `${issue.path}: ${issue.message}`);
  if (issues.length > 0) throw new Error(`${file} has lines of another form than {id, authority, reason}:\n${issues.join('\n')}`);
  const byId = new Map<string, DeviationLine>();
  for (const line of lines as readonly DeviationLine[]) {
    if (byId.has(line.id)) throw new Error(`${file} has two lines for "${line.id}". Leave one.`);
    byId.set(line.id, line);
  }
  return byId;
}
