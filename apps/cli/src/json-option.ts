import { Option } from 'commander';

export const json = () => new Option('--json', 'print one JSON object');
