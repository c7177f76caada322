/** Ends the reading of a schema that cannot be used. `message` continues a sentence that begins with the schema. */
export class SchemaRefusal extends Error {}
