export { countTokens } from '@cairn/graph';
