import { readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk, pets, reportFile } from './stand-in.ts';
import { treeOf } from './tree.ts';

const plan = { report: '4.1-all-passed' };
const given = { collection_path: 'pets' };

describe('apiclient_run_collection: report_format and report_path', () => {
  const formats: { parameters: Record<string, unknown>; file: string; flag: string | undefined; text: string | undefined }[] = [
    { parameters: { report_format: 'junit', report_path: 'out.xml' }, file: 'out.xml', flag: 'junit', text: '<junit/>\n' },
    { parameters: { report_format: 'html', report_path: 'a b ü.htm' }, file: 'a b ü.htm', flag: 'html', text: '<html/>\n' },
    { parameters: { report_format: 'json', report_path: 'out.json' }, file: 'out.json', flag: undefined, text: undefined },
    { parameters: { report_path: 'out.XML' }, file: 'out.XML', flag: 'junit', text: '<junit/>\n' },
    { parameters: { report_path: 'pets/out.html' }, file: 'pets/out.html', flag: 'html', text: '<html/>\n' },
    { parameters: { report_path: 'out.json' }, file: 'out.json', flag: undefined, text: undefined },
  ];
  for (const { parameters, file, flag, text } of formats) {
    it(`writes the report for ${JSON.stringify(parameters)}`, async () => {
      const { call, root, runs } = await desk({ files: pets(), plan });
      const before = await treeOf(root);
      const answer = await call('run_collection', { ...given, ...parameters });
      expect([answer.errors, answer.report_path]).to.deep.equal([[], path.join(root, file)]);
      expect(await readFile(path.join(root, file), 'utf8')).to.equal(text ?? (await readFile(reportFile(plan.report), 'utf8')));
      expect(await treeOf(root)).to.deep.equal([...before, file].sort());
      const [run] = await runs();
      const asked = run?.args.filter((arg) => /^--reporter-(junit|html)=/.test(arg)) ?? [];
      expect(asked.map((arg) => arg.split('=')[0])).to.deep.equal(flag === undefined ? [] : [`--reporter-${flag}`]);
      expect(run?.args.some((arg) => arg.startsWith('--reporter-json='))).to.equal(true);
    });
  }

  for (const format of ['json', 'junit', 'html']) {
    it(`keeps a temporary ${format} report when it was not told where`, async () => {
      const { call } = await desk({ files: pets(), plan });
      const { report_path: file } = await call('run_collection', { ...given, report_format: format });
      expect(path.dirname(path.dirname(file ?? ''))).to.equal(os.tmpdir());
      expect(await readFile(file ?? '', 'utf8')).to.have.length.greaterThan(5);
      await rm(path.dirname(file ?? ''), { recursive: true });
    });
  }

  it('replaces a file that is there, and keeps the report of a run that failed', async () => {
    const { call, root } = await desk({ files: { ...pets(), 'out.xml': 'old' }, plan: { report: '4.1-failing-test', exitCode: 1 } });
    const answer = await call('run_collection', { ...given, report_format: 'junit', report_path: 'out.xml' });
    expect(answer.success).to.equal(false);
    expect(await readFile(path.join(root, 'out.xml'), 'utf8')).to.equal('<junit/>\n');
  });

  const refusals: { title: string; parameters: Record<string, unknown>; words: readonly string[] }[] = [
    { title: 'an unknown format', parameters: { report_format: 'pdf' }, words: ['report_format', 'json', 'pdf'] },
    { title: 'a path in a missing folder', parameters: { report_path: 'gone/out.xml' }, words: ['/gone to exist', 'another report_path'] },
    { title: 'a path below a file', parameters: { report_path: 'pets/bruno.json/out.xml' }, words: ['bruno.json to exist'] },
    { title: 'a path that is a folder', parameters: { report_path: 'pets', report_format: 'json' }, words: ['which is a folder'] },
    {
      title: 'a path that does not tell the format',
      parameters: { report_path: 'out.txt' },
      words: ['out.txt is not clear', 'report_format', '.xml'],
    },
    { title: 'a path outside of the roots', parameters: { report_path: '../out.xml' }, words: ['"report_path"', 'expected a path inside'] },
    {
      title: 'a link that leads out of the roots',
      parameters: { report_path: 'out/x.xml' },
      words: ['"report_path"', 'expected a path inside'],
    },
  ];
  for (const { title, parameters, words } of refusals) {
    it(`refuses ${title}, runs nothing and writes nothing`, async () => {
      const { call, root, starts } = await desk({ files: pets(), plan });
      await symlink('/tmp', path.join(root, 'out'));
      const before = await treeOf(root);
      failure(await call('run_collection', { ...given, ...parameters }), ...words);
      expect(await starts()).to.deep.equal([]);
      expect(await treeOf(root)).to.deep.equal(before);
    });
  }

  it('says that the requests ran when the runner wrote no such report', async () => {
    const { call, root } = await desk({ files: pets(), plan: { ...plan, withoutOtherReports: true } });
    const before = await treeOf(root);
    failure(await call('run_collection', { ...given, report_path: 'out.xml' }), 'The requests ran', 'could not be written', 'ENOENT');
    expect(await treeOf(root)).to.deep.equal(before);
  });
});
