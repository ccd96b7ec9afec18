export default async () => {
  await globalThis.cairnUnderTest?.stop();
};
