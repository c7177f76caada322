/**
 * Definitions as made from an OpenAPI document: many operations whose schemas refer to shared ones. Operation n has the schemas
 * n, 2n and 3n (modulo their number), which refer to others.
 */
export function definitionsOf(source, { operations, schemas, edition = 0 }) {
  return {
    provider: {
      provider: { name: source },
      base_url: 'https://api.shop.example',
      parameter_mapping: [{ parameter: 'token', env_pattern: `${source.toUpperCase()}_TOKEN`, description: 'The token of the shop.' }],
      $defs: Object.fromEntries(Array.from({ length: schemas }, (_, index) => [nameOf(index), schemaOf(index, schemas)])),
    },
    tools: Array.from({ length: operations }, (_, index) => toolOf(index, schemas, edition)),
  };
}

function nameOf(index) {
  return `shelf_${index}`;
}

function ref(index, schemas) {
  return { $ref: `#/$defs/${nameOf(index % schemas)}` };
}

function schemaOf(index, schemas) {
  const texts = Array.from({ length: 12 }, (_, n) => [
    `field_${n}`,
    {
      type: 'string',
      description: `Member ${n} of shelf ${index}, as the shop keeps it. It is shown to those who count.`,
      maxLength: 200 + n,
    },
  ]);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(texts),
      size: { type: 'integer', minimum: 0, maximum: 100_000 },
      kind: { enum: ['wood', 'steel', 'glass'] },
      next: ref(index + 1, schemas),
      parts: { type: 'array', items: ref(index * 7 + 3, schemas) },
    },
    required: ['field_0', 'size'],
  };
}

function toolOf(index, schemas, edition) {
  return {
    name: `count_shelf_${index}`,
    description: `Counts what lies on shelf ${index} of the shop. For another shelf use its own tool.${edition === 0 ? '' : ` Edition ${edition}.`}`,
    input_schema: {
      type: 'object',
      properties: {
        unit: { enum: ['pieces', 'boxes'], default: 'pieces', description: 'What is counted.' },
        since: { type: 'string', format: 'date', description: 'Only what came on this day or later.' },
        shelf: ref(index, schemas),
        others: { type: 'array', items: ref(index * 2, schemas) },
      },
      additionalProperties: false,
    },
    output_schema: ref(index * 3, schemas),
    execution: {
      type: 'http',
      method: 'post',
      url: `https://api.shop.example/shelves/${index}?unit={unit}&since={since}`,
      body: '{shelf}',
    },
    risk: 'low',
  };
}

/** The same operations as an OpenAPI document. */
export function documentOf(source, size) {
  const { provider, tools } = definitionsOf(source, size);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: provider.base_url }],
    components: { schemas: provider.$defs, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: Object.fromEntries(tools.map((tool, index) => [`/shelves/${index}`, { post: operationOf(tool) }])),
  };
  // Own text: a few numbers that this file wrote.
  return JSON.parse(JSON.stringify(document).replaceAll('#/$defs/', '#/components/schemas/'));
}

function operationOf({ name, description, input_schema: { properties }, output_schema: schema }) {
  const query = ['unit', 'since'].map((key) => ({ name: key, in: 'query', schema: properties[key] }));
  const { shelf, others } = properties;
  return {
    operationId: name,
    description,
    parameters: query,
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { shelf, others } } } } },
    responses: { 200: { description: 'Done.', content: { 'application/json': { schema } } } },
  };
}
