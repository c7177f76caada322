const host = 'http://localhost:1234';
const here = `${host}/draft2020-12`;
const dialect = 'https://json-schema.org/draft/2020-12';
const integer = { type: 'integer' };
const text = { type: 'string' };

/** The schemas that the cases of JSON Schema refer to, by address: the suite serves them on this host, and `json_validate` is given them. */
export const remoteSchemas: Readonly<Record<string, object>> = {
  [`${here}/baseUriChange/folderInteger.json`]: integer,
  [`${here}/baseUriChangeFolder/folderInteger.json`]: integer,
  [`${here}/baseUriChangeFolderInSubschema/folderInteger.json`]: integer,
  [`${here}/subSchemas.json`]: { $defs: { integer, refToInteger: { $ref: '#/$defs/integer' } } },
  [`${here}/locationIndependentIdentifier.json`]: { $defs: { refToInteger: { $ref: '#foo' }, A: { $anchor: 'foo', ...integer } } },
  [`${here}/name-defs.json`]: { ...text, $defs: { orNull: { anyOf: [{ type: 'null' }, { $ref: '#' }] } } },
  [`${here}/ref-and-defs.json`]: {
    $id: `${here}/ref-and-defs.json`,
    $ref: '#/$defs/inner',
    $defs: { inner: { properties: { bar: text } } },
  },
  [`${here}/nested/foo-ref-string.json`]: { type: 'object', properties: { foo: { $ref: 'string.json' } } },
  [`${here}/nested/string.json`]: text,
  [`${here}/different-id-ref-string.json`]: { $id: `${host}/real-id-ref-string.json`, $ref: '#/$defs/bar', $defs: { bar: text } },
  [`${here}/urn-ref-string.json`]: { $id: 'urn:uuid:feebdaed-ffff-0000-ffff-0000deadbeef', $ref: '#/$defs/bar', $defs: { bar: text } },
  [`${here}/nested-absolute-ref-to-string.json`]: {
    $ref: `${host}/the-nested-id.json`,
    $defs: { bar: { $id: `${host}/the-nested-id.json`, ...text } },
  },
  [`${here}/tree.json`]: {
    $id: `${here}/tree.json`,
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
  },
  [`${here}/extendible-dynamic-ref.json`]: {
    $id: `${here}/extendible-dynamic-ref.json`,
    type: 'object',
    properties: { elements: { type: 'array', items: { $dynamicRef: '#elements' } } },
    required: ['elements'],
    additionalProperties: false,
    $defs: { elements: { $dynamicAnchor: 'elements' } },
  },
  [`${here}/detached-dynamicref.json`]: {
    $id: `${here}/detached-dynamicref.json`,
    $defs: { foo: { $dynamicRef: '#detached' }, detached: { $dynamicAnchor: 'detached', ...integer } },
  },
  [`${here}/metaschema-no-validation.json`]: {
    $id: `${here}/metaschema-no-validation.json`,
    $vocabulary: { [`${dialect}/vocab/applicator`]: true, [`${dialect}/vocab/core`]: true },
    $dynamicAnchor: 'meta',
    allOf: [{ $ref: `${dialect}/meta/applicator` }, { $ref: `${dialect}/meta/core` }],
  },
  [`${host}/draft2019-09/ignore-prefixItems.json`]: {
    $id: `${host}/draft2019-09/ignore-prefixItems.json`,
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    type: 'array',
    prefixItems: [text],
  },
};
