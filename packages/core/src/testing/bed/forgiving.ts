/** Methods as clients in the field call them: with all that the wire forgives, which the types do not name. */

export type Forgiving<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...params: never) => infer Result
    ? (params?: object) => Result
    : Forgiving<Table[Name]>;
};

/** The same functions; what they are given is theirs to refuse. */
export const forgiving = <Table extends object>(calls: Table): Forgiving<Table> => calls as Forgiving<Table>;
