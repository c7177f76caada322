import { expect } from 'chai';
import { applyOverlay } from '../../../../../plugins/openapi/document/overlay/apply-overlay.ts';
import { type OverlayFile, overlayOf } from '../../../../../plugins/openapi/document/overlay/overlay-file.ts';
import { rejection } from '../../../../support/rejection.ts';
import { readValue } from '../../read-value.ts';

const file = (actions: unknown, version = '1.0.0') => ({ overlay: version, info: { title: 'T', version: '1' }, actions });

async function applied(document: object, actions: readonly object[], version?: string): Promise<readonly string[]> {
  const overlay = overlayOf(file(actions, version));
  if (typeof overlay === 'string') throw new Error(overlay);
  return applyOverlay(overlay as OverlayFile, document as Record<string, unknown>);
}

describe('an overlay', () => {
  const changes: Record<string, [before: object, actions: readonly object[], after: object, version?: string]> = {
    'merges objects at all levels': [
      { a: { b: 1, c: { d: 2 } } },
      [{ target: '$.a', update: { c: { e: 3 }, f: 4 } }],
      { a: { b: 1, c: { d: 2, e: 3 }, f: 4 } },
    ],
    'replaces simple values': [{ a: { b: 1 } }, [{ target: '$.a', update: { b: 'x' } }], { a: { b: 'x' } }],
    'replaces a simple value that is the target': [{ a: 1 }, [{ target: '$.a', update: 2 }], { a: 2 }],
    'adds an item to a list': [{ a: [1] }, [{ target: '$.a', update: { b: 2 } }], { a: [1, { b: 2 }] }],
    'adds the items of a list to a list': [{ a: { b: [1] } }, [{ target: '$.a', update: { b: [2, 3] } }], { a: { b: [1, 2, 3] } }],
    'replaces a value of another kind (1.0)': [{ a: { b: 'x' } }, [{ target: '$.a', update: { b: ['y'] } }], { a: { b: ['y'] } }],
    'removes members': [{ a: { b: 1, c: 2 } }, [{ target: '$.a.b', remove: true }], { a: { c: 2 } }],
    'removes several items of a list': [
      { a: [{ x: 1 }, { x: 2 }, { x: 1 }, { x: 3 }] },
      [{ target: '$.a[?@.x == 1]', remove: true }],
      { a: [{ x: 2 }, { x: 3 }] },
    ],
    'removes a value and one inside it': [{ a: { b: { b: 1 } }, c: 1 }, [{ target: '$..b', remove: true }], { a: {}, c: 1 }],
    'removes, and does not update, where an action has both': [{ a: { b: 1 } }, [{ target: '$.a', update: { c: 1 }, remove: true }], {}],
    'applies actions in order': [
      { a: [1] },
      [
        { target: '$.a', remove: true },
        { target: '$', update: { a: [2] } },
      ],
      { a: [2] },
    ],
    'updates each of many targets by a copy of its own': [
      { a: {}, b: {} },
      [
        { target: '$.*', update: { c: { d: 1 } } },
        { target: '$.a.c', update: { e: 2 } },
      ],
      { a: { c: { d: 1, e: 2 } }, b: { c: { d: 1 } } },
    ],
    'copies a value (1.1)': [{ a: { b: 1 }, c: { d: 2 } }, [{ target: '$.c', copy: '$.a' }], { a: { b: 1 }, c: { b: 1, d: 2 } }, '1.1.0'],
  };
  for (const [name, [before, actions, after, version]] of Object.entries(changes)) {
    it(name, async () => {
      expect(await applied(before, actions, version)).to.deep.equal([]);
      expect(before).to.deep.equal(after);
    });
  }

  it('sets a member called __proto__ as a member', async () => {
    const document = JSON.parse('{"a": {}}');
    await applied(document, [{ target: '$.a', update: JSON.parse('{"__proto__": {"polluted": 1}}') }]);
    expect(Object.keys(document.a)).to.deep.equal(['__proto__']);
    expect(document.a.polluted).to.equal(undefined);
  });

  it('returns the actions that matched nothing', async () => {
    const actions = [
      { target: '$.a', update: {} },
      { target: "$.paths['/gone'].get", remove: true },
    ];
    expect(await applied({ a: {} }, actions)).to.deep.equal(["actions[1]: $.paths['/gone'].get"]);
  });

  const failures: Record<string, [actions: readonly object[], message: RegExp, version?: string]> = {
    'a JSONPath that does not parse': [[{ target: '$.a[' }], /actions\[0\] \(\$\.a\[\)/],
    'the removal of the whole document': [[{ target: '$', remove: true }], /the whole document cannot be removed/],
    'a text in place of the document': [[{ target: '$', update: 'x' }], /expected an object as update of the whole document/],
    'values of different kinds (1.1)': [[{ target: '$', update: { a: [1] } }], /cannot merge array of 1 into string "x"/, '1.1.0'],
    'a copy of several values': [[{ target: '$', copy: '$.*' }], /"copy" \$\.\*: expected one value, received 2/, '1.1.0'],
  };
  for (const [name, [actions, message, version]] of Object.entries(failures)) {
    it(`fails for ${name}`, async () => {
      const error = await applied({ a: 'x', b: 1 }, actions, version).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.match(message);
    });
  }

  const invalid: Record<string, [overlay: unknown, fault: RegExp]> = {
    'another version': [
      file([{ target: '$' }], '2.0.0'),
      /"overlay" is the version of the format: expected "1.0.0", received string "2.0.0"/,
    ],
    'no actions': [file([]), /"actions" is a list of at least one action/],
    'a target that is no JSONPath': [file([{ target: 'info' }]), /^actions\[0\]: "target" is a JSONPath that begins with "\$"/],
    'an unknown field': [file([{ target: '$', updates: {} }]), /^actions\[0\]: "updates" is no field here/],
    'copy in 1.0': [file([{ target: '$', copy: '$.a' }]), /"copy" is no field here/],
    'an action twice': [
      file([
        { target: '$', update: { a: 1 } },
        { target: '$', update: { a: 1 } },
      ]),
      /^actions\[1\] is there twice/,
    ],
  };
  for (const [name, [overlay, fault]] of Object.entries(invalid)) {
    it(`is refused with ${name}`, () => {
      expect(overlayOf(overlay)).to.match(fault);
    });
  }

  it('that is invalid is named by its file', async () => {
    const error = await rejection(readValue({ openapi: '3.0.0', paths: {} }, { overlay: file([]) }), 'CONFIG_INVALID');
    expect(error.message).to.match(/^"\/api\/overlay\.json" is no overlay: "actions"/);
  });
});

describe('the settings x-toolkit', () => {
  const document = (settings: object) => ({
    openapi: '3.0.0',
    servers: [{ url: 'https://api.test' }],
    paths: { '/a': { get: { operationId: 'a', ...settings } } },
  });

  it('of the document and of the overlay are apart', async () => {
    const overlay = file([{ target: "$.paths['/a'].get", update: { 'x-toolkit': { risk: 'low' } } }]);
    const { document: read } = await readValue(document({ 'x-toolkit': { risk: 'high', gate: true } }), { overlay });
    expect(read.operations[0]).to.deep.include({ ownSettings: { risk: 'high', gate: true }, overlaySettings: { risk: 'low' } });
  });

  it('of the document are never those of the overlay, although the overlay copies them by a query', async () => {
    const overlay = { ...file([{ target: '$.paths.*.get', copy: "$.paths['/a'].get" }], '1.1.0') };
    const { document: read } = await readValue(document({ 'x-toolkit': { risk: 'low' } }), { overlay });
    expect(read.operations[0]?.overlaySettings).to.equal(undefined);
  });

  it('of an operation replace members of those of its path and document', async () => {
    const value = {
      openapi: '3.0.0',
      'x-toolkit': { a: 1, b: 1, c: 1 },
      paths: { '/a': { 'x-toolkit': { b: 2, c: 2 }, get: { 'x-toolkit': { c: 3 } } } },
    };
    expect((await readValue(value)).document.operations[0]?.ownSettings).to.deep.equal({ a: 1, b: 2, c: 3 });
  });

  it('are not in the operation that tools are made from', async () => {
    const { document: read } = await readValue(document({ 'x-toolkit': { risk: 'low' } }));
    expect(read.operations[0]?.located.value).to.deep.equal({ operationId: 'a' });
  });
});
