import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'mocha';
import { pythonProgram } from '../../../support/python.ts';

const beginning = `
import io, os, stat, struct, sys, tarfile, warnings, zipfile
warnings.simplefilter('ignore')
def entry(name, mode=None, date=(2024, 2, 29, 12, 34, 56), method=zipfile.ZIP_DEFLATED):
    info = zipfile.ZipInfo(name, date)
    info.create_system, info.compress_type = 3, method
    if mode is not None: info.external_attr = mode << 16
    return info
def member(name, type=tarfile.REGTYPE, link='', mode=0o644, content=b''):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.size, info.mtime = type, link, mode, len(content), 1709210096
    return info
def add(archive, name, content=b'x', **more):
    archive.addfile(member(name, content=content, **more), io.BytesIO(content))
`;

/**
 * Makes an archive with zipfile or tarfile of Python and gives its path. The script finds the path in `target`, and `entry`, `member` and
 * `add` for entries with all that can be wrong with them.
 */
export function pythonArchive(folder: string, name: string, script: string): string {
  makeArchives(folder, { [name]: script });
  return path.join(folder, name);
}

/** Makes the archives once for all tests of a suite, by their names: starting Python takes longer than extracting. */
export function sharedArchives(scripts: Readonly<Record<string, string>>): { readonly folder: string } {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-archives-')));
    makeArchives(folder, scripts);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
  };
}

function makeArchives(folder: string, scripts: Readonly<Record<string, string>>): void {
  const run = `${beginning}
import json
for name, script in json.load(sys.stdin).items():
    exec(script, dict(globals(), target=os.path.join(sys.argv[1], name)))
`;
  execFileSync(pythonProgram(), ['-X', 'utf8', '-c', run, folder], { input: JSON.stringify(scripts) });
}
