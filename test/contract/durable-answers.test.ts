import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { glob } from 'tinyglobby';

describe('decisions about durable calls', () => {
  it('can be given by no tool and no plugin: they are their host’s, and an operator’s at the command line', async () => {
    const files = await glob(['tools/**/*.{ts,js,mjs,py}', 'plugins/**/*.{ts,mjs}'], {
      ignore: ['**/node_modules/**', 'plugins/toolkit/testing/**'],
    });
    expect(files.length).to.be.greaterThan(500);
    const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
    const users = texts.filter(([, text]) => /\bcalls\s*\??\.\s*answer\b|\bcalls\['answer'\]/.test(text)).map(([file]) => file);
    expect(users).to.deep.equal(['plugins/engine-local/commands/calls/answer.ts']);
  });
});
