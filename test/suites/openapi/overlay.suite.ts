import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { applyOverlay } from '../../../plugins/openapi/document/overlay/apply-overlay.ts';
import { type OverlayFile, overlayOf } from '../../../plugins/openapi/document/overlay/overlay-file.ts';
import { parseText } from '../../../plugins/openapi/document/parse-document.ts';
import { isComplete, missingSpecs, specs } from './documents/folders.ts';

/** The public conformance set of the OpenAPI Overlay Specification: `compliant-sets` and `tests`. */
const folder = path.join(specs, 'overlay');

if (isComplete('overlay', [missingSpecs()])) describe('the conformance set of OpenAPI Overlay', describeSet);

function describeSet(): void {
  const sets = readdirSync(path.join(folder, 'compliant-sets'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

  for (const { name } of sets) {
    it(`gives the expected document: ${name}`, async () => {
      const [document, overlay, output] = await Promise.all(
        ['openapi', 'overlay', 'output'].map((file) => read(path.join(folder, 'compliant-sets', name, `${file}.yaml`))),
      );
      const unmatched = await applyOverlay(validOverlay(overlay), document as Record<string, unknown>);
      expect(document).to.deep.equal(output);
      expect(unmatched).to.deep.equal([]);
    });
  }

  for (const version of ['v1.0', 'v1.1']) {
    for (const file of readdirSync(path.join(folder, 'tests', version, 'pass')))
      it(`accepts ${version} ${file}`, async () => {
        expect(overlayOf(await read(path.join(folder, 'tests', version, 'pass', file)))).to.be.an('object');
      });
    for (const file of readdirSync(path.join(folder, 'tests', version, 'fail')))
      it(`refuses ${version} ${file}`, async () => {
        expect(overlayOf(await read(path.join(folder, 'tests', version, 'fail', file)))).to.be.a('string');
      });
  }
}

async function read(file: string): Promise<unknown> {
  return (await parseText(readFileSync(file, 'utf8'), file)).value;
}

function validOverlay(value: unknown): OverlayFile {
  const overlay = overlayOf(value);
  if (typeof overlay === 'string') throw new Error(overlay);
  return overlay;
}
