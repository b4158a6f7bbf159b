torchrun a.py `echo \`echo \\\`echo deep\\\`\``
