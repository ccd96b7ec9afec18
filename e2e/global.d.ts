/** The product that global-setup.mjs starts and global-teardown.mjs stops. */
// eslint-disable-next-line no-var -- only `var` declares a property of globalThis
declare var cairnUnderTest: { stop(): Promise<unknown> } | undefined;
