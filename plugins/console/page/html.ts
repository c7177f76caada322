import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

/** Things that a component can show. */
export type Children = ComponentChildren;

/**
 * Makes elements from a template: `<p class="note">${text}</p>`. Texts are never read as markup. The build replaces templates by the calls that this
 * would make, so an attribute is a text or one expression, never both joined.
 */
export const html = /* @__PURE__ */ htm.bind(h) as (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode;
