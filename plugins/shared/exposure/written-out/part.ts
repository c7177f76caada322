import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { foreignText, isCutText } from './foreign-text.ts';
import { elsewhere, limitsIn, plainPart, withDescription } from './plain-parts.ts';
import { type Described, type ObjectShape, type ScalarShape, type Shape, shapeOf } from './shape.ts';

/** Names of members that all model APIs take (see `profiles/`). */
const memberName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Maximum levels of parts inside each other that are written out. */
const maxDepth = 8;

/** Maximum UTF-16 units of the values of an enum, as JSON. */
const maxValues = { required: 800, optional: 300 } as const;

/** Number of values that stand for a longer enum. */
const shownValues = 5;

/** Maximum UTF-16 units of a listed default, as JSON. */
const maxDefault = 40;

/** The place of a part: how deep, whether a call needs it, and the definitions that were entered on the way to it. */
interface Place {
  readonly root: JsonSchema;
  readonly depth: number;
  readonly isRequired: boolean;
  readonly trail: ReadonlySet<string>;
}

/** One value of a schema that is written out. At first it is only a type; its text, its values, its limits and its members are added one by one. */
export class Part {
  readonly depth: number;
  readonly isRequired: boolean;
  readonly #described: Described;
  readonly #place: Place;
  /** Parts below, when it is open: members by name, or the items of a list, the branches of a union, the members of any name. */
  #inner: ReadonlyMap<string, Part> | undefined;
  /** True when members are left out that do not fit. */
  #isPartly = false;
  #text = '';
  #values: 'none' | 'some' | 'all' = 'none';
  #hasLimits = false;
  #plain: ReturnType<typeof plainPart> | undefined;

  constructor(described: Described, place: Place) {
    this.#described = described;
    this.#place = place;
    this.depth = place.depth;
    this.isRequired = place.isRequired;
  }

  get shape(): Shape {
    return this.#described.shape;
  }

  /** The part as its type. */
  get #asType(): ReturnType<typeof plainPart> {
    this.#plain ??= plainPart(this.shape, this.#place.root);
    return this.#plain;
  }

  /** Parts below an open part. */
  get inner(): readonly Part[] {
    return [...(this.#inner?.values() ?? [])];
  }

  /** True when it leaves out something that the schema says and a caller may need. */
  get isCut(): boolean {
    if (isCutText(this.#text) || this.#values === 'some') return true;
    if (this.#inner !== undefined) return this.#isPartly || this.#hasUnlisted || this.inner.some((part) => part.isCut);
    if (this.shape.kind === 'scalar') return this.shape.values !== undefined && this.#values === 'none';
    return !this.#asType.isWhole;
  }

  /** True for a part with parts of its own that can be written out. A cycle ends at the definition in which it is. */
  get canOpen(): boolean {
    const { depth, trail } = this.#place;
    if (this.#inner !== undefined || depth >= maxDepth || this.#described.entered.some((name) => trail.has(name))) return false;
    switch (this.shape.kind) {
      case 'object':
        return this.#listed(this.shape).length > 0 || isPlainObject(this.shape.extra);
      case 'list':
        return isRich(shapeOf(this.shape.items, this.#place.root));
      case 'union':
        return this.shape.parts.some(isRich);
      default:
        return false;
    }
  }

  get canShowValues(): boolean {
    return this.shape.kind === 'scalar' && this.shape.values !== undefined && this.#values === 'none';
  }

  /** Opens the part: its parts are there, each as its type. `isAccepted`: false for a member that does not fit. */
  open(isAccepted: (part: Part, name: string) => boolean = () => true): void {
    const { shape } = this;
    if (shape.kind === 'list') this.#inner = new Map([['items', this.#below(shape.items, this.isRequired)]]);
    if (shape.kind === 'union') this.#inner = new Map(shape.parts.map((part, index) => [String(index), this.#part(part, this.isRequired)]));
    if (shape.kind !== 'object') return;
    const all = this.#listed(shape).map(
      ([name, member]) => [name, this.#below(member, this.isRequired && shape.required.has(name))] as const,
    );
    const needed = all.filter(([name]) => shape.required.has(name));
    const kept = new Set(
      [...needed, ...all.filter(([name]) => !shape.required.has(name))].filter(([name, part]) => isAccepted(part, name)),
    );
    this.#inner = new Map(all.filter((entry) => kept.has(entry)));
    this.#isPartly = kept.size < all.length;
    if (all.length === 0 && isPlainObject(shape.extra)) this.#inner = new Map([['extra', this.#below(shape.extra, false)]]);
  }

  close(): void {
    this.#inner = undefined;
    this.#isPartly = false;
  }

  /** Sets its text, cut to `limit` UTF-16 units. */
  describe(limit: number): void {
    this.#text = foreignText(this.#described.description ?? '', limit);
  }

  undescribe(): void {
    this.#text = '';
  }

  showValues(how: 'none' | 'some' | 'all'): void {
    this.#values = how;
  }

  showLimits(isShown: boolean): void {
    this.#hasLimits = isShown;
  }

  /** True for an enum that is short enough to be listed whole. */
  get hasFewValues(): boolean {
    const { shape } = this;
    if (shape.kind !== 'scalar' || shape.values === undefined) return false;
    return JSON.stringify(shape.values).length <= (this.isRequired ? maxValues.required : maxValues.optional);
  }

  schema(): JsonSchema {
    const description = [this.#text, this.#words].filter((text) => text !== '').join(' ');
    return withDescription(this.#bare(), description);
  }

  #bare(): JsonSchema {
    const { shape } = this;
    if (shape.kind === 'scalar') return this.#scalar(shape);
    const inner = this.#inner;
    if (inner === undefined) return this.#asType.schema;
    if (shape.kind === 'list') {
      const { minItems, maxItems } = this.#hasLimits ? shape.limits : {};
      return {
        type: 'array',
        items: inner.get('items')?.schema(),
        ...(typeof minItems === 'number' && minItems > 0 ? { minItems } : {}),
        ...(typeof maxItems === 'number' && maxItems < 1000 ? { maxItems } : {}),
      };
    }
    if (shape.kind === 'union') return { anyOf: this.inner.map((part) => part.schema()) };
    if (shape.kind !== 'object') return this.#asType.schema;
    const extra = inner.get('extra');
    if (extra !== undefined && !shape.members.has('extra')) return { type: 'object', additionalProperties: extra.schema() };
    const required = [...shape.required].filter((name) => inner.has(name));
    const isClosed = shape.extra === false && !this.#isPartly && !this.#hasUnlisted;
    return {
      type: 'object',
      properties: Object.fromEntries([...inner].map(([name, part]) => [name, part.schema()])),
      ...(required.length === 0 ? {} : { required }),
      ...(isClosed ? { additionalProperties: false } : {}),
    };
  }

  #scalar(shape: ScalarShape): JsonSchema {
    const { type, values } = shape;
    const { default: byDefault } = this.#described;
    const hasDefault = byDefault !== undefined && typeof byDefault !== 'object' && JSON.stringify(byDefault).length <= maxDefault;
    return {
      type,
      ...(this.#values === 'all' && type === 'string' ? { enum: values } : {}),
      ...(this.#hasLimits ? limitsIn(shape).keywords : {}),
      ...(this.#hasLimits && hasDefault ? { default: byDefault } : {}),
    };
  }

  /** Words of ours behind its text. */
  get #words(): string {
    const { shape } = this;
    if (shape.kind === 'scalar') {
      const values = shape.values ?? [];
      const shown =
        this.#values === 'some' ? values.slice(0, shownValues) : this.#values === 'all' && shape.type !== 'string' ? values : [];
      const more = this.#values === 'some' ? ` and others, ${values.length} in all: toolkit_get_tool` : '';
      const text = shown.map((value) => foreignText(JSON.stringify(value), 60)).join(', ');
      return [text === '' ? '' : `One of ${text}${more}.`, this.#hasLimits ? limitsIn(shape).words : '']
        .filter((words) => words !== '')
        .join(' ');
    }
    if (this.#inner === undefined) return this.#asType.isWhole ? '' : elsewhere;
    if (this.#isPartly || this.#hasUnlisted) return `More members: toolkit_get_tool.`;
    const { needs = [] } = shape as Partial<ObjectShape>;
    if (needs.length === 0 || needs.length > 4) return '';
    return `Needs ${needs.map((names) => names.filter((name) => memberName.test(name)).join(' and ')).join(', or ')}.`;
  }

  /** True for an object with members whose names no model API takes. */
  get #hasUnlisted(): boolean {
    return this.shape.kind === 'object' && [...this.shape.members.keys()].some((name) => !memberName.test(name));
  }

  #listed({ members }: ObjectShape): readonly (readonly [string, unknown])[] {
    return [...members].filter(([name, member]) => memberName.test(name) && member !== false);
  }

  #below(schema: unknown, isRequired: boolean): Part {
    return this.#part(shapeOf(schema, this.#place.root), isRequired);
  }

  #part(described: Described, isRequired: boolean): Part {
    const { root, trail, depth } = this.#place;
    return new Part(described, { root, isRequired, depth: depth + 1, trail: new Set([...trail, ...this.#described.entered]) });
  }
}

/** True for a shape that says more than its type. */
function isRich({ shape, description }: Described): boolean {
  if (description !== undefined) return true;
  if (shape.kind === 'scalar') return shape.values !== undefined || Object.keys(shape.limits).length > 0;
  return shape.kind !== 'any' && !(shape.kind === 'object' && shape.members.size === 0 && !isPlainObject(shape.extra));
}
