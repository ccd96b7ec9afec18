import { Option } from 'commander';

export const url = () => new Option('--url <url>', 'the gateway; the Cairn that runs on CAIRN_HOME when left out');
export const adminToken = () => new Option('--token <token>', 'an admin token; better in CAIRN_TOKEN');
