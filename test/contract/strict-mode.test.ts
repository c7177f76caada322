import { expect } from 'chai';
import { checkParameters } from '../../kernel/call/parameters/check-parameters.ts';
import { type ApprovalProof, checkValue, isPlainObject, type JsonSchema } from '../../kernel/index.ts';
import { openaiStrict } from '../../plugins/shared/exposure/profiles/openai-strict.ts';
import { collectInput, refusalsBy } from '../../plugins/shared/exposure/profiles/profile.ts';
import { toStrictSchema, withoutStrictNulls } from '../../plugins/shared/exposure/strict-schema.ts';
import { listTool } from '../../plugins/shared/exposure/tool-listing.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();

const proofs: readonly ApprovalProof[] = ['none', 'flag', 'token'];

const listedSchema = (tool: (typeof tools)[number], proof: ApprovalProof): JsonSchema => listTool(tool, proof).inputSchema;

/** Parameters that strict mode cannot express, by the reason. Strict mode lists every member by name and allows no other. */
const open: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'any JSON value, or any object, is what the tool is for': {
    convert_json_to_csv: ['rows'],
    convert_json_to_toml: ['data'],
    convert_json_to_xml: ['data'],
    convert_json_to_yaml: ['data'],
    json_diff: ['left', 'right'],
    json_flatten: ['data'],
    json_infer_schema: ['samples'],
    json_merge: ['documents'],
    json_patch: ['document', 'patch'],
    json_query: ['data'],
    json_validate: ['data', 'schema', 'schemas'],
    postgres_execute_sql: ['params'],
    text_render_template: ['data', 'partials'],
    toolkit_call_tool: ['arguments'],
    web_request: ['headers', 'query', 'body'],
  },
  'the caller chooses the names, such as those of headers and variables': {
    apiclient_add_request: ['headers'],
    math_statistics: ['values'],
    math_evaluate: ['variables'],
    system_execute: ['environment'],
    web_graphql: ['variables', 'headers'],
  },
  'the names are those of the account: its properties, merge fields and groups': {
    ...Object.fromEntries(
      ['company', 'contact', 'custom_object', 'deal', 'invoice', 'lead', 'line_item', 'order', 'product', 'ticket'].flatMap((kind) => [
        [`hubspot_create_${kind}`, ['properties']],
        [`hubspot_update_${kind}`, ['properties']],
      ]),
    ),
    mailchimp_add_list_member: ['merge_fields', 'interests'],
    mailchimp_update_list_member: ['merge_fields', 'interests'],
  },
  'the form is a language of the service, which is larger than what is listed and grows': {
    notion_create_comment: ['rich_text'],
    notion_create_page: ['parent', 'properties', 'children', 'icon', 'cover'],
    notion_list_databases: ['sort'],
    notion_query_database: ['filter', 'sorts'],
    notion_search: ['filter', 'sort'],
    notion_update_page: ['properties', 'icon', 'cover'],
    slack_reply_to_message: ['blocks'],
    slack_send_channel_message: ['blocks', 'attachments'],
    slack_send_dm: ['blocks'],
    slack_update_message: ['blocks', 'attachments'],
  },
};

/** The value as strict mode gives it: what is left out is null. */
function withNulls(schema: unknown, value: unknown): unknown {
  if (!isPlainObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withNulls(schema['items'], item));
  if (!isPlainObject(value) || !isPlainObject(schema['properties'])) return value;
  return Object.fromEntries(Object.entries(schema['properties']).map(([name, part]) => [name, withNulls(part, value[name] ?? null)]));
}

describe('the strict mode of OpenAI', () => {
  for (const proof of proofs)
    it(`stays closed to exactly these parameters, with approval "${proof}"`, () => {
      const found = tools.flatMap((tool) => {
        const strict = toStrictSchema(listedSchema(tool, proof));
        return 'open' in strict ? [[tool.name, [...new Set(strict.open.map(({ pointer }) => pointer.split('/')[2]))]] as const] : [];
      });
      expect(Object.fromEntries(found)).to.deep.equal(Object.assign({}, ...Object.values(open)));
    });

  it('takes the schemas of all others, and gives back what was given', () => {
    let converted = 0;
    for (const tool of tools) {
      const listed = listedSchema(tool, 'flag');
      const strict = toStrictSchema(listed);
      if ('open' in strict) continue;
      converted++;
      expect(refusalsBy(openaiStrict, collectInput({ name: tool.name, inputSchema: strict.schema })), tool.name).to.deep.equal([]);
      for (const { parameters } of tool.definition.examples ?? []) {
        const given = withNulls(listed, parameters);
        expect(checkValue(strict.schema, given), tool.name).to.deep.equal([]);
        expect(withoutStrictNulls(listed, given), tool.name).to.deep.equal(parameters);
      }
    }
    expect(converted).to.equal(tools.length - Object.values(open).reduce((sum, group) => sum + Object.keys(group).length, 0));
  });

  it('gives nulls for what is optional, which the kernel takes as not given', () => {
    for (const tool of tools) {
      const strict = toStrictSchema(tool.inputSchema);
      if ('open' in strict) continue;
      for (const { parameters } of tool.definition.examples ?? []) {
        const absent = Object.keys(strict.schema['properties'] as object).filter((name) => !Object.hasOwn(parameters, name));
        const given = { ...parameters, ...Object.fromEntries(absent.map((name) => [name, null])) };
        expect(checkParameters(tool, given, 'model'), tool.name).to.deep.equal(checkParameters(tool, parameters, 'model'));
      }
    }
  });
});
