import { build } from 'esbuild';
const page='plugins/console/page';
const {metafile}=await build({entryPoints:[`${page}/main.ts`],bundle:true,minify:true,metafile:true,write:false,outdir:'/tmp/x',format:'iife',target: ['chrome123', 'firefox120', 'safari17.5'],legalComments:'none',tsconfig:`${page}/tsconfig.json`});
for (const o of Object.values(metafile.outputs)) console.log(o.bytes,Object.entries(o.inputs).map(([k,v])=>[v.bytesInOutput,k]).sort((a,b)=>b[0]-a[0]).slice(0,30).map(x=>x.join(' ')).join('\n'));
