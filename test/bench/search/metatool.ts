import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import type { Tool } from '../../../kernel/index.ts';
import { type AskedTool, toolOf } from './asked-tools.ts';
import type { Question } from './questions.ts';

/** Questions of a tool that become its intents, at most; of a tool with few questions, half of them. */
const maxIntents = 10;

export interface MetaTool {
  readonly bare: readonly Tool[];
  readonly questions: readonly Asked[];
  /** With questions as intents, and the questions that are left. */
  readonly taught: readonly Tool[];
  readonly rest: readonly Asked[];
}

type Asked = Pick<Question, 'question' | 'tools'>;

/**
 * MetaTool (Huang et al. 2023, MIT): names and descriptions of 199 tools, and 20,614 questions with the tool that answers each. The intents
 * of a tool are its different questions with the smallest SHA-256 (hex, of the text in UTF-8); a question that is an intent of any tool is
 * not asked. `undefined` where the folder is not there.
 */
export async function loadMetaTool(folder: string): Promise<MetaTool | undefined> {
  const texts = await Promise.all(['metatool-tools.json', 'metatool-queries.csv'].map((name) => readText(path.join(folder, name))));
  const [written, asked] = texts;
  if (written === undefined || asked === undefined) return undefined;
  const described = Object.entries(JSON.parse(written) as Record<string, string>).map(([name, description]) => ({ name, description }));
  const rows = Papa.parse<{ Query: string; Tool: string }>(asked, { header: true, skipEmptyLines: true }).data;
  const questions = rows.map(({ Query: question, Tool: tool }) => ({ question, tools: [tool] }));
  const intents = intentsByTool(questions);
  const taught: AskedTool[] = described.map((tool) => ({ ...tool, intents: intents.get(tool.name) ?? [] }));
  const used = new Set([...intents.values()].flat());
  return {
    bare: described.map(toolOf),
    questions,
    taught: taught.map(toolOf),
    rest: questions.filter(({ question }) => !used.has(question)),
  };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function intentsByTool(questions: readonly Asked[]): ReadonlyMap<string, readonly string[]> {
  const byTool = new Map<string, Set<string>>();
  for (const { question, tools } of questions) for (const tool of tools) byTool.set(tool, (byTool.get(tool) ?? new Set()).add(question));
  return new Map(
    [...byTool].map(([tool, texts]) => {
      const sorted = [...texts].map((text) => ({ text, hash: sha256(text) })).sort((a, b) => (a.hash < b.hash ? -1 : 1));
      return [tool, sorted.slice(0, Math.min(maxIntents, Math.floor(texts.size / 2))).map(({ text }) => text)];
    }),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
