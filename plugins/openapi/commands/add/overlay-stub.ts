/** Returns an overlay that changes nothing, with samples of what it may do. */
export function overlayStub(name: string): string {
  return `# Changes to the document of the source "${name}" (OpenAPI Overlay 1.0): the document itself stays as its owner writes it.
# "target" is a JSONPath. After a change: toolkit openapi update ${name}
overlay: 1.0.0
info: { title: Changes for ${name}, version: 1.0.0 }
actions:
  - target: $.info
    description: Changes nothing. Put actions such as these in its place.
    update: {}
  # - target: $.paths['/files/{file_id}'].get
  #   update:
  #     description: Say here when a model should choose this operation.
  #     x-toolkit: { risk: low, requires_approval: false }
  # - target: $.paths['/internal/*']
  #   remove: true
`;
}
