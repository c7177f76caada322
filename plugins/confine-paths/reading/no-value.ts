/** Says in words why a text cannot be read as a value. */
export class NoValue extends Error {}
