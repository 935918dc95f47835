#!/bin/bash
# prose.sh SOURCE [--list|--lower]: counts the phrases of tests/prose/phrases in comments, documents and names of tests, by folder, and
# compares the counts with tests/prose/budgets. Exit 1: a folder is above its budget, or a budget is higher than in an earlier commit.
#   --list   print every place: FILE:LINE: NAME: what to write instead: TEXT
#   --lower  write the budgets anew, none higher than it was
set -eu
export LC_ALL=C
case ${2:-} in '' | --list | --lower) ;; *)
    echo "prose: '$2' is not an option: give --list, --lower or nothing" >&2
    exit 64
    ;;
esac
cd "$1"
budgets=tests/prose/budgets
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# files: prints the files of the tree, one a line, including new ones. The archive of a release is no checkout, even if
# it was unpacked inside another repository; there, all files count except those of builds.
files() {
    if [ "$(git rev-parse --show-cdup 2>/dev/null || echo none)" = "" ]; then
        git ls-files --cached --others --exclude-standard
    else
        find . -type f -not -path './build*' | sed 's|^\./||'
    fi
}

# Prints each place of a phrase as "FILE LINE NAME REMEDY TEXT", separated by tabs. Reads the comments and the names of
# tests in C, lines that begin with '#' in scripts, and everything outside of code in documents.
files | perl -e '
    use strict;
    open(my $list, "<", shift) or die "prose: tests/prose/phrases: $!\n";
    my @phrases = map { chomp; my ($name, $remedy, $expression) = split /\t/; [$name, $remedy, qr/$expression/] } grep { !/^#/ } <$list>;

    sub judge {
        my ($file, $line, $text) = @_;
        for my $phrase (@phrases) {
            my ($name, $remedy, $expression) = @$phrase;
            next if $name eq "relative" && $text =~ /\?\s*$/; # a question
            print join("\t", $file, $line, $name, $remedy, $text), "\n" while $text =~ /$expression/g;
        }
    }

    # lines FILE LINE TEXT: judges each line of a C comment.
    sub lines {
        my ($file, $line, $text) = @_;
        judge($file, $line++, s{^[\s/*]+|[\s/*]+$}{}gr) for split /\n/, $text;
    }

    while (my $file = <STDIN>) {
        chomp $file;
        next unless $file =~ /\.(?:c|h|hpp|cpp|sh|cmake|md)$|(?:^|\/)(?:CMakeLists\.txt|bootstrap)$/;
        open(my $in, "<", $file) or next; # removed, and not yet committed
        my $text = do { local $/; <$in> } // "";
        if ($file =~ /\.(?:c|h|hpp|cpp)$/) {
            while ($text =~ m{/\*.*?\*/|//[^\n]*}gs) {
                my ($comment, $before) = ($&, substr($text, 0, $-[0]));
                lines($file, 1 + ($before =~ tr/\n//), $comment);
            }
            while ($text =~ /^Test\(\s*\w+\s*,\s*(\w+)/gm) {
                my ($name, $before) = ($1, substr($text, 0, $-[0]));
                judge($file, 1 + ($before =~ tr/\n//), $name =~ tr/_/ /r);
            }
            next;
        }
        my ($number, $code) = (0, 0);
        for my $line (split /\n/, $text) {
            $number++;
            if ($file =~ /\.md$/) {
                $code = !$code if $line =~ /^\s*```/;
                judge($file, $number, $line =~ s/`[^`]*`//gr) unless $code || $line =~ /^ {4}/;
            } elsif ($line =~ /^\s*#(?!!)/) {
                judge($file, $number, $line =~ s/^[\s#]+//r);
            }
        }
    }' tests/prose/phrases >"$scratch/places"

if [ "${2:-}" = --list ]; then
    awk -F '\t' '{ printf "%s:%s: %s: %s: %s\n", $1, $2, $3, $4, $5 }' "$scratch/places"
    exit 0
fi

# The budgets of every commit. A folder without a budget has none to spend.
git log --format=%H -- "$budgets" 2>/dev/null | while read -r commit; do
    git show "$commit:$budgets" 2>/dev/null || : # the commit removed it
done >"$scratch/earlier"
cat "$budgets" >"$scratch/budgets" 2>/dev/null || :
echo "# folder, phrases that have to be read twice: the most that tests/prose/prose.sh allows; its --lower lowers them" >"$scratch/lowered"
awk -F '\t' -v lowered="$scratch/lowered" -v lower="${2:-}" '
    /^#/ { next }
    FILENAME ~ /earlier$/ { if (!($1 in least) || $2 < least[$1]) least[$1] = $2; next }
    FILENAME ~ /budgets$/ {
        budget[$1] = $2
        if ($1 in least && $2 > least[$1]) {
            printf "prose: the budget of %s is %d, and was %d: put that back\n", $1, $2, least[$1]
            bad = 1
        }
        next
    }
    {
        depth = split($1, name, "/") - 1
        folder = depth == 0 ? "." : name[1]
        for (i = 2; i <= depth && i <= (name[1] == "include" ? 3 : 2); i++)
            folder = folder "/" name[i]
        count[folder]++
    }
    END {
        for (folder in count)
            if (count[folder] > budget[folder]) {
                printf "prose: %s: %d phrases that have to be read twice, at most %d are allowed: tests/prose/prose.sh . --list names them\n",
                       folder, count[folder], budget[folder]
                bad = 1
            }
        for (folder in budget)
            if (lower && count[folder] > 0)
                printf "%s\t%d\n", folder, count[folder] < budget[folder] ? count[folder] : budget[folder] | ("sort >>" lowered)
        exit bad
    }' "$scratch/earlier" "$scratch/budgets" "$scratch/places"
[ "${2:-}" != --lower ] || cp "$scratch/lowered" "$budgets"
