import path from 'node:path';
import type { Pair } from './pairs.ts';
import { rareWord } from './seeded-tree.ts';

/** The file tools on a tree, `tree`, and on an equal one, `copy`. */
export function filePairs(folder: string, files: number): readonly Pair[] {
  const cwd = path.join(folder, 'tree');
  const of = `of ${files} files`;
  const max_results = 5000;
  return [
    {
      what: `fs_search ${of}, a word`,
      tool: 'fs_search',
      parameters: { pattern: rareWord, path: cwd, max_results },
      program: 'grep',
      args: ['-rIn', rareWord, '.'],
      cwd,
      most: 1.5,
    },
    {
      what: `fs_search ${of}, an expression`,
      tool: 'fs_search',
      parameters: { pattern: 'needle\\w+ of (file|folder) \\d+$', path: cwd, max_results },
      program: 'grep',
      args: ['-rInE', 'needle[A-Za-z0-9_]+ of (file|folder) [0-9]+$', '.'],
      cwd,
      most: 1.5,
    },
    {
      what: `fs_find ${of}`,
      tool: 'fs_find',
      parameters: { pattern: 'file-*7.ts', path: cwd },
      program: 'find',
      args: ['.', '-name', 'file-*7.ts'],
      cwd,
      most: 2,
    },
    {
      what: `fs_disk_usage ${of}`,
      tool: 'fs_disk_usage',
      parameters: { path: cwd },
      program: 'du',
      args: ['-b', '-d', '1', '.'],
      cwd,
      most: 1.5,
    },
    {
      what: `fs_compare_files of two folders ${of}`,
      tool: 'fs_compare_files',
      parameters: { left: cwd, right: path.join(folder, 'copy') },
      program: 'diff',
      args: ['-rq', '.', '../copy'],
      cwd,
      most: 1.5,
    },
  ];
}
