import { findingsExtractorContract } from './findings-extractor.contract.js';
import { RulesExtractor } from './rules-extractor.js';

findingsExtractorContract('RulesExtractor', () => new RulesExtractor());
