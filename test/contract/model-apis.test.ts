import { expect } from 'chai';
import { type ApprovalProof, checkValue, type JsonSchema } from '../../kernel/index.ts';
import { refusalsOf } from '../../plugins/shared/exposure/profiles/refusals.ts';
import { listTool } from '../../plugins/shared/exposure/tool-listing.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();

const proofs: readonly ApprovalProof[] = ['none', 'flag', 'token'];

const listedSchema = (tool: (typeof tools)[number], proof: ApprovalProof): JsonSchema => listTool(tool, proof).inputSchema;

describe('what model APIs take', () => {
  for (const proof of proofs)
    it(`every listed tool passes the profiles of Anthropic, OpenAI, Gemini and the Inspector, with approval "${proof}"`, () => {
      const refused = tools.flatMap((tool) =>
        refusalsOf({ name: tool.name, inputSchema: listedSchema(tool, proof) }).map(
          ({ pointer, message, by }) => `${tool.name}${pointer}: ${by.name}: ${message}`,
        ),
      );
      expect(tools.length).to.be.at.least(255);
      expect(refused).to.deep.equal([]);
    });

  it('every example fits the schema that is listed', () => {
    const unfit = tools.flatMap((tool) =>
      (tool.definition.examples ?? []).flatMap(({ parameters }) =>
        checkValue(listedSchema(tool, 'none'), parameters).map(({ path, message }) => `${tool.name}: ${path} ${message}`),
      ),
    );
    expect(unfit).to.deep.equal([]);
  });

  it('what a definition says of a parameter is in what is listed', () => {
    const mute = tools.flatMap((tool) => {
      const properties = listedSchema(tool, 'none')['properties'] as Readonly<Record<string, JsonSchema>>;
      return Object.entries(tool.parameters)
        .filter(([name, { fixed }]) => fixed !== true && Object.hasOwn(properties, name))
        .filter(([name, { description = '' }]) => !JSON.stringify(properties[name]).includes(JSON.stringify(description).slice(1, -1)))
        .map(([name]) => `${tool.name}.${name}`);
    });
    expect(mute).to.deep.equal([]);
  });
});
