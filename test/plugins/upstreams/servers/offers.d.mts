type Members = Readonly<Record<string, unknown>>;

export declare const tools: readonly (Members & { readonly name: string })[];
export declare const resources: readonly Members[];
export declare const templates: readonly Members[];
export declare const prompts: readonly Members[];
export declare function parts(name: string, given: Members): Members & { readonly content: readonly Members[] };
