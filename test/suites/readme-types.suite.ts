import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { projectOfSnippets } from '../e2e/readme-project.ts';
import { compilerSays } from '../support/compiler.ts';

describe('the README', () => {
  it('has TypeScript that compiles against the published types', async () => {
    const folder = await projectOfSnippets(['words.ts', 'toolkit.config.ts']);
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          strict: true,
          noEmit: true,
          // The types of libraries are checked in the packs suite.
          skipLibCheck: true,
          types: ['node'],
          typeRoots: [path.resolve('node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    );
    expect(await compilerSays(folder)).to.equal('');
  });
});
