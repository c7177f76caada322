import { expect } from 'chai';
import { toolNames } from '../../../../plugins/openapi/generate/tool-names.ts';
import type { Operation } from '../../../../plugins/openapi/operations/operation.ts';

function operation(key: string, operationId?: string): Operation {
  const [method, path] = key.split(' ');
  return { method, path, ...(operationId === undefined ? {} : { operationId }) } as unknown as Operation;
}

const nameOf = (key: string, operationId?: string, source = 'box'): string | undefined =>
  toolNames(source, [operation(key, operationId)]).get(key);

describe('names of the tools of a document', () => {
  const cases = [
    { id: 'getFileById', name: 'box_get_file_by_id', says: 'words in camel case' },
    { id: 'BoxFiles_getFile', name: 'box_files_get_file', says: 'the name of the source once' },
    { id: 'files.files_get', name: 'box_files_get', says: 'a repeated word once' },
    { id: 'repos/list-repos/list-repos', name: 'box_repos_list_repos', says: 'a repeated group once' },
    { id: 'HTTPStatus', name: 'box_http_status', says: 'an abbreviation as one word' },
    { id: '  ', name: 'box_get_files_by_file_id', says: 'method and path for an operationId without words' },
    { id: undefined, name: 'box_get_files_by_file_id', says: 'method and path without an operationId' },
  ];
  for (const { id, name, says } of cases)
    it(`are made of ${says}: ${name}`, () => {
      expect(nameOf('get /files/{file_id}', id)).to.equal(name);
    });

  it('have at most 60 characters, with a hash of method and path on a cut', () => {
    const name = nameOf('get /x', 'a very long identifier that goes on and on until nobody could read it any more');
    expect(name).to.have.length.at.most(60);
    expect(name).to.match(/^box_a_very_long_.*_[0-9a-f]{6}$/);
  });

  it('both get a hash where two operations would get one name, whatever their order', () => {
    const operations = [operation('get /a', 'list'), operation('get /b', 'list')];
    const names = toolNames('box', operations);
    expect(new Set(names.values())).to.have.property('size', 2);
    for (const name of names.values()) expect(name).to.match(/^box_list_[0-9a-f]{6}$/);
    expect(Object.fromEntries(toolNames('box', operations.reverse()))).to.deep.equal(Object.fromEntries(names));
  });

  it('stay as they are known, and a newcomer with the same name gets a hash', () => {
    const known = new Map([['get /a', 'box_list']]);
    const names = toolNames('box', [operation('get /a', 'renamed'), operation('get /b', 'list')], known);
    expect(names.get('get /a')).to.equal('box_list');
    expect(names.get('get /b')).to.match(/^box_list_[0-9a-f]{6}$/);
  });
});
