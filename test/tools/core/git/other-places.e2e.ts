import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { call } from './person.ts';
import { history } from './repository.ts';

describe('git tools in a repository whose configuration leads elsewhere', () => {
  const cases: { key: string; value: string; refused: boolean }[] = [
    { key: 'core.worktree', value: '../..', refused: true },
    { key: 'core.worktree', value: '..', refused: false },
    { key: 'core.attributesFile', value: '../secret', refused: true },
    { key: 'core.attributesFile', value: '~/secret', refused: true },
    { key: 'core.attributesFile', value: 'attributes', refused: false },
    { key: 'core.attributesFile', value: '', refused: false },
    { key: 'mailmap.file', value: '/etc/hostname', refused: true },
    { key: 'mailmap.file', value: 'src/.mailmap', refused: false },
    { key: 'extensions.refStorage', value: 'files:///tmp/refs', refused: true },
  ];
  for (const { key, value, refused } of cases) {
    it(`${refused ? 'refuse' : 'take'} ${key} = ${JSON.stringify(value)}`, async () => {
      const repository = await history();
      await repository.git('config', key, value);
      for (const tool of ['git_log', 'git_status']) {
        const answer = call(tool, repository);
        if (!refused) expect(await answer).to.be.an('object');
        else expect((await rejection(answer, 'INVALID_PARAMETERS')).message.toLowerCase()).to.include(`its ${key.toLowerCase()} leads to`);
      }
    });
  }
});
