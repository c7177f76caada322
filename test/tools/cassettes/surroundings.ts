import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { JsonValue } from '../../../kernel/index.ts';
import type { Cassette } from '../../../plugins/cli/commands/test/cassette/cassette.ts';
import { makePdf } from '../core/convert/make-pdf.ts';
import { makeRepository } from './git-repository.ts';
import { outsideNetwork, type Responses } from './outside-network.ts';
import { pages } from './pages.ts';
import { type ShopDatabase, startShopDatabase } from './shop-database.ts';

/** Files, pages and programs that the examples of a tool find. */
export interface Surroundings {
  readonly files?: Cassette['files'];
  readonly credentials?: Cassette['credentials'];
  /** Makes more, in the folder, before a live run: what a replay need not have. */
  readonly prepare?: (folder: string) => void;
  /** Starts what it connects to: for all tools of these surroundings once. */
  readonly start?: () => Promise<ShopDatabase>;
  /** Responses of exchanges by their kind, as cassettes have them, in place of the outside network. */
  readonly responses?: Responses;
  /** Answers a request over HTTP by its URL. */
  readonly answers?: (url: URL, init: RequestInit | undefined) => Response;
  /** True when the output depends on this machine or day: any output that fits the schema is accepted. */
  readonly isOpen?: boolean;
  /** Outputs of its examples, where the tool cannot run without the real world. */
  readonly kept?: readonly JsonValue[];
}

const project = { 'package.json': '{ "version": "1.0.0" }\n', 'README.md': '# ä\n' };

const collection = {
  'collections/pet-store/bruno.json': '{ "version": "1", "name": "Pet store", "type": "collection" }\n',
  'collections/pet-store/get-all.bru': 'meta {\n  name: get-all\n  type: http\n  seq: 1\n}\n\nget {\n  url: {{base_url}}/pets\n}\n',
  'collections/pet-store/environments/local.bru': 'vars {\n  base_url: http://127.0.0.1:3000\n}\n',
};

/** By the beginning of the name; the first that fits counts. */
const byName: readonly (readonly [prefix: string, make: () => Surroundings])[] = [
  ['fs_', () => ({ files: project })],
  ['archive_', () => ({ files: { 'package.json': project['package.json'], ...archives() } })],
  ['convert_pdf', () => ({ files: { 'report.pdf': bytes(makePdf([['Sums'], ['More sums']])) } })],
  ['crypto_', () => ({ credentials: { WEBHOOK_SECRET: 'webhook secret', JWT_SECRET: 'jwt secret' } })],
  ['git_', () => ({ files: { '.git/HEAD': 'ref: refs/heads/main\n', 'remote.git/HEAD': 'ref: refs/heads/main\n' } })],
  ['web_', () => ({ answers: pages })],
  // The machine, and what the catalogue has today.
  ['system_disk', () => ({ isOpen: true })],
  ['system_info', () => ({ isOpen: true })],
  ['system_list', () => ({ isOpen: true })],
  ['system_which', () => ({ isOpen: true })],
  ['toolkit_', () => ({ isOpen: true })],
  ['net_', () => ({ responses: outsideNetwork })],
  ['apiclient_create', () => ({})],
  // These run a program that need not be here.
  ['apiclient_import', () => ({ kept: [worked, worked] })],
  ['apiclient_run_', () => ({ kept: [worked, worked] })],
  ['apiclient_', () => ({ files: collection })],
  ['postgres_', () => ({ start: startShopDatabase })],
  [
    'data_',
    () => ({
      files: {
        'stocks.csv': 'symbol,price\nIBM,10.5\nMSFT,20\nIBM,11.5\n',
        'zone1970.tab': 'country\tzone\nCH\tEurope/Zurich\nBR\tAmerica/Bahia\nBR\tAmerica/Belem\n',
        'countries.csv': 'code;region\nCH;Europe\nBR;America\n',
        'sales.csv': 'region,amount\nN,1.5\nS,2\n',
        'sales.xlsx': workbook('sales', [
          ['region', 'amount'],
          ['N', 1.5],
          ['S', 2],
          ['N', 3],
        ]),
        'budget.xlsx': workbook('Q1', [['Budget'], [], ['item', 'amount'], ['rent', 1200]]),
      },
    }),
  ],
  [
    'sheet_read',
    () => ({
      files: {
        'budget.xlsx': workbook('Q1', [
          ['item', 'amount'],
          ['rent', 1200],
        ]),
      },
    }),
  ],
  ['sheet_write', () => ({ files: { 'report.xlsx': 'to be replaced' } })],
  ['calendar_', () => ({ files: { 'team.ics': calendar } })],
  ['image_', () => ({ files: { 'logo.png': picture, 'photos/2026/beach.jpg': photo } })],
];

const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:1',
  'SUMMARY:Standup',
  'DTSTART:20260302T090000Z',
  'DTEND:20260302T091500Z',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** One pixel. */
const picture = { base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' };

/** The head of a JPEG of 3 × 2. */
const photo = { base64: Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080002000301011100ffd9', 'hex').toString('base64') };

const worked = { success: true, errors: [] };

export function surroundingsOf(tool: string): Surroundings {
  const [, make] = byName.find(([prefix]) => tool.startsWith(prefix)) ?? [];
  const made = make?.() ?? {};
  return tool.startsWith('git_') ? { ...made, prepare: (folder) => makeRepository(folder, tool) } : made;
}

function bytes(content: Uint8Array): { readonly base64: string } {
  return { base64: Buffer.from(content).toString('base64') };
}

function workbook(name: string, rows: readonly (readonly unknown[])[]): { readonly base64: string } {
  const program = `import write from 'write-excel-file/node';
    process.stdout.write((await write([{ sheet: ${JSON.stringify(name)}, data: ${JSON.stringify(rows)} }]).toBuffer()).toString('base64'));`;
  return { base64: execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }) };
}

function archives(): NonNullable<Cassette['files']> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'archives-'));
  mkdirSync(path.join(folder, 'release'));
  writeFileSync(path.join(folder, 'release/a.txt'), 'a');
  execFileSync('tar', ['-czf', 'release.tar.gz', 'release'], { cwd: folder });
  execFileSync('zip', ['-q', '-r', 'release.zip', 'release'], { cwd: folder });
  const files = Object.fromEntries(
    ['release.tar.gz', 'release.zip'].map((name) => [`downloads/${name}`, bytes(readFileSync(path.join(folder, name)))]),
  );
  rmSync(folder, { recursive: true });
  return files;
}
