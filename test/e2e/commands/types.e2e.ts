import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start } from '../program.ts';

async function types(cwd: string, ...flags: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exit, stdout, stderr } = start(['types', ...flags], { cwd });
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

const definition = `name: shop_get_item
description: Gets one item. Use it when the id is known.
parameters:
  id: { type: string, required: true, description: The id. }
  fields: { type: array, items: { type: string, enum: [id, title] }, description: What of it. }
execution: { type: command, command: cat, parse: json }
output_schema: { type: object, properties: { id: { type: string }, price: { type: [number, "null"] } }, required: [id] }
`;

const expected = `// Written by "toolkit types" from the definitions of tools. Do not edit: write it anew.
import '@toolkit/core';

declare module '@toolkit/core' {
  interface ToolTypes {
    /** Gets one item. */
    shop_get_item: {
      parameters: {
        /** The id. */
        id: string;
        /** What of it. */
        fields?: Array<"id" | "title">;
      };
      output: {
        id: string;
        price?: number | null | string;
      };
    };
  }
}
`;

const expectedPython = `# Written by "toolkit types --python" from the definitions of tools. Do not edit: write it anew.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

import toolkit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import NotRequired, Unpack


class ShopGetItemParameters(TypedDict):
    # The id.
    id: str
    # What of it.
    fields: NotRequired[list[Literal["id", "title"]]]


class ShopGetItemOutput(TypedDict):
    id: str
    price: NotRequired[float | None | str]


if TYPE_CHECKING:

    class _CallOptions(TypedDict, total=False):
        credentials: Mapping[str, str] | None
        caller: str | None
        tenant: str | None
        timeout: float | None
        origin: Literal["host", "model"]
        approved: bool | None
        approval: str | None
        on_progress: Callable[[toolkit.Progress], object] | None

    class Toolkit(toolkit.Toolkit):
        def execute(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
            self, name: Literal["shop_get_item"], params: ShopGetItemParameters, **options: Unpack[_CallOptions]
        ) -> ShopGetItemOutput:
            """Gets one item."""
            ...

    class AsyncToolkit(toolkit.AsyncToolkit):
        async def execute(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
            self, name: Literal["shop_get_item"], params: ShopGetItemParameters, **options: Unpack[_CallOptions]
        ) -> ShopGetItemOutput:
            """Gets one item."""
            ...

else:
    Toolkit = toolkit.Toolkit
    AsyncToolkit = toolkit.AsyncToolkit
`;

const file = 'toolkit-tools.d.ts';

const shop = (): Promise<string> =>
  temporaryFolder({
    'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { includeCore: false, autoDiscover: false, toolPaths: [./tools] }]\n',
    'tools/shop_get_item.yaml': definition,
  });

describe('toolkit types', () => {
  it('writes the parameters and the output of each tool, and prints the same', async () => {
    const cwd = await shop();
    expect(await types(cwd)).to.deep.include({ code: 0, stdout: `Written: ${file}, with the types of 1 tool.\n` });
    expect(await readFile(path.join(cwd, file), 'utf8')).to.equal(expected);
    expect((await types(cwd, '--print')).stdout).to.equal(expected);
  });

  it('writes a module of Python with --python, and leaves one of somebody else alone', async () => {
    const cwd = await shop();
    expect(await types(cwd, '--python')).to.deep.include({ code: 0, stdout: 'Written: toolkit_tools.py, with the types of 1 tool.\n' });
    expect(await readFile(path.join(cwd, 'toolkit_tools.py'), 'utf8')).to.equal(expectedPython);
    expect(await types(cwd, '--python', '--check')).to.deep.include({ code: 0 });
    await writeFile(path.join(cwd, 'toolkit_tools.py'), 'TOOLS = []\n');
    const { code, stderr } = await types(cwd, '--python', '--check');
    expect(code).to.equal(1);
    expect(stderr).to.include('Write it: toolkit types --python --out toolkit_tools.py');
    expect((await types(cwd, '--python')).stderr).to.include('is left alone');
  });

  it('writes nothing where a definition does not load', async () => {
    const cwd = await shop();
    await types(cwd);
    await writeFile(
      path.join(cwd, 'tools/other.yaml'),
      definition.replace('shop_get_item', 'shop_other').replace('command: cat', 'comand: cat'),
    );
    const { code, stderr } = await types(cwd);
    expect(code).to.equal(1);
    expect(stderr).to.include('A definition does not load').and.to.include('toolkit validate');
    expect(await readFile(path.join(cwd, file), 'utf8')).to.equal(expected);
  });

  it('says with --check whether the file is that of the definitions, and writes nothing', async () => {
    const cwd = await shop();
    const missing = await types(cwd, '--check');
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include(`${file} is not there. Write it: toolkit types --out ${file}`);
    await types(cwd);
    expect(await types(cwd, '--check')).to.deep.include({ code: 0 });
    await writeFile(path.join(cwd, 'tools/shop_get_item.yaml'), definition.replace('price', 'cost'));
    expect((await types(cwd, '--check')).code).to.equal(1);
    expect(await readFile(path.join(cwd, file), 'utf8')).to.equal(expected);
    // What it has written itself it writes anew.
    expect((await types(cwd)).code).to.equal(0);
    expect(await types(cwd, '--check')).to.deep.include({ code: 0 });
  });

  it('leaves a file of somebody else alone', async () => {
    const cwd = await shop();
    await writeFile(path.join(cwd, file), 'export {};\n');
    const { code, stderr } = await types(cwd);
    expect(code).to.equal(1);
    expect(stderr).to.include('--out');
    expect(await readFile(path.join(cwd, file), 'utf8')).to.equal('export {};\n');
  });
});
