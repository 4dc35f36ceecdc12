/** A binding in which some methods are the test's own. */
export function overrideMethods<T extends object>(binding: T, methods: { [K in keyof T]?: unknown }): T {
  return new Proxy(binding, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return typeof value === "function" && own === undefined ? value.bind(target) : value;
    },
  });
}
