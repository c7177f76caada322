import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from './shared-toolkit.ts';

describe('a file whose name is not UTF-8', () => {
  const shared = sharedToolkit();

  const calls = [
    { tool: 'fs_copy', parameters: (folder: string) => ({ source: `${folder}/in`, destination: `${folder}/out`, recursive: true }) },
    { tool: 'fs_delete', parameters: (folder: string) => ({ path: `${folder}/in`, recursive: true }) },
    { tool: 'archive_zip_create', parameters: (folder: string) => ({ paths: [`${folder}/in`], destination: `${folder}/a.zip` }) },
    { tool: 'archive_tar_create', parameters: (folder: string) => ({ paths: [`${folder}/in`], destination: `${folder}/a.tgz` }) },
  ];
  for (const { tool, parameters } of calls) {
    it(`stops ${tool}, which says why`, async () => {
      const folder = await temporaryFolder();
      await mkdir(path.join(folder, 'in'));
      await writeFile(Buffer.concat([Buffer.from(`${folder}/in/M`), Buffer.from([0xe4]), Buffer.from('rz.txt')]), 'x');
      const error = await rejection(shared.toolkit.execute(tool, parameters(folder)), 'EXECUTION_FAILED');
      expect(error.message).to.include('M\uFFFDrz.txt').and.to.include('its name is not UTF-8').and.to.include('Rename it');
      expect(await readdir(folder)).to.deep.equal(['in']);
    });
  }
});
