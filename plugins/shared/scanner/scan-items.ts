import { mixesScripts } from './checks/mixed-scripts.ts';
import { passage } from './checks/passage.ts';
import { isDistinctive, lookAlikeNames } from './checks/tool-names.ts';
import type { Finding, TextFinding } from './finding.ts';
import { type ScannedText, scanText } from './scan-text.ts';
import type { ScannedItem } from './scanned-item.ts';
import { SplitTexts } from './split-texts.ts';
import { textsOf } from './texts-of.ts';
import type { NameClass } from './words/classes-at.ts';

/** The result of a scan. */
export interface ScanResult {
  /** Hard findings first; of each item and in all only so many as a person reads. */
  readonly findings: readonly Finding[];
  /** Numbers of findings, those included that are left out. */
  readonly hard: number;
  readonly warnings: number;
  /** Names of the items with hard findings, each once, those of findings that are left out too. */
  readonly hardNames: readonly string[];
}

export interface ScanOptions {
  /** Items of other sources, whose names these must not resemble or command. They are not scanned. @default none */
  readonly peers?: readonly ScannedItem[];
}

/** Findings of one item that are returned. */
const maxOfItem = 10;

/** Findings that are returned in all. */
const maxInAll = 100;

/**
 * Scans texts from outside for what is meant for a model and not for the person who reads them. Takes time in proportion to the length of the
 * texts. A text without findings is no proof of good intentions.
 */
export function scanItems(items: readonly ScannedItem[], { peers = [] }: ScanOptions = {}): ScanResult {
  const readers = new Map<string, SourceReader>();
  const names = namesBySource([...peers, ...items]);
  const all: Finding[] = [];
  const counts = { hard: 0, warning: 0 };
  const hardNames = new Set<string>();
  const add = (findings: readonly Finding[]): void => {
    for (const { severity, name } of findings) {
      counts[severity] += 1;
      if (severity === 'hard') hardNames.add(name);
    }
    all.push(...hardFirst(findings).slice(0, maxOfItem));
  };
  for (const item of items) {
    const reader = readers.get(item.source) ?? { split: new SplitTexts(), scan: rememberedScan(nameClassOf(item.source, names)) };
    readers.set(item.source, reader);
    add(scanItem(item, reader));
  }
  add(lookAlikeNames(items, peers));
  return { findings: hardFirst(all).slice(0, maxInAll), hard: counts.hard, warnings: counts.warning, hardNames: [...hardNames] };
}

/** Reads the texts of one source. */
interface SourceReader {
  readonly split: SplitTexts;
  scan(text: string): ScannedText;
}

/** Texts that are remembered for one source: the operations of a document repeat most of theirs. */
const maxRemembered = 20_000;

function rememberedScan(nameClass: NameClass): (text: string) => ScannedText {
  const seen = new Map<string, ScannedText>();
  return (text) => {
    const scanned = seen.get(text) ?? scanText(text, nameClass);
    if (seen.size < maxRemembered) seen.set(text, scanned);
    return scanned;
  };
}

function scanItem(item: ScannedItem, { split, scan }: SourceReader): readonly Finding[] {
  const label = `${item.type} "${passage(item.name, 0, 60)}"`;
  const findings: Finding[] = [];
  const mentions: Finding[] = [];
  const said = new Set<string>();
  const add = (list: Finding[], path: string, found: readonly TextFinding[]): void => {
    for (const finding of found) {
      const key = `${finding.kind} ${finding.severity} ${finding.excerpt}`;
      if (said.has(key)) continue;
      said.add(key);
      list.push({ ...finding, item: label, name: item.name, path });
    }
  };
  add(findings, '', nameFindings(item));
  for (const nested of [{ path: '', text: item.name, isName: true }, ...textsOf(item.value)]) {
    const scanned = scan(nested.text);
    if (scanned.findings.length > 0) add(findings, nested.path, scanned.findings);
    if (scanned.mentions.length > 0) add(mentions, nested.path, scanned.mentions);
    const continued = nested.isName ? undefined : split.read(scanned.tokens);
    if (continued !== undefined) add(findings, nested.path, [continued]);
  }
  return findings.length === 0 ? [] : [...findings, ...mentions];
}

function nameFindings({ name }: ScannedItem): readonly TextFinding[] {
  if (!mixesScripts(name)) return [];
  const message = 'Its name has letters of several scripts that look alike.';
  return [{ severity: 'hard', kind: 'look-alike name', message, excerpt: passage(name, 0, 60) }];
}

/** Returns the sources that have a tool of each name. */
function namesBySource(items: readonly ScannedItem[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { type, name, source } of items) {
    if (type !== 'tool') continue;
    const key = name.toLowerCase();
    names.set(key, (names.get(key) ?? new Set<string>()).add(source));
  }
  return names;
}

function nameClassOf(source: string, names: ReadonlyMap<string, ReadonlySet<string>>): NameClass {
  return (name) => {
    const sources = names.get(name);
    if (sources?.has(source) === true) return undefined;
    if (sources !== undefined && isDistinctive(name)) return '$foreign';
    return name.includes('-') ? undefined : '$name';
  };
}

function hardFirst<F extends { readonly severity: string }>(findings: readonly F[]): readonly F[] {
  return [...findings.filter(({ severity }) => severity === 'hard'), ...findings.filter(({ severity }) => severity !== 'hard')];
}
