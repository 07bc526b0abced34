# Math::BigInt of Perl.
use strict;
use warnings;
use Math::BigInt;

sub show {
    my ($key, $ask) = @_;
    my $answer = eval { $ask->() };
    print "$key\t", ($@ ? 'error' : $answer), "\n";
}

sub power {
    my ($key, $b, $e, $m) = @_;
    show($key, sub { Math::BigInt->new($b)->bmodpow(Math::BigInt->new($e), Math::BigInt->new($m)) });
}

print "version\t$Math::BigInt::VERSION\n";
power('power of a negative modulus', 3, 2, -7);
power('power of a negative exponent', 3, -1, 7);
power('power of a negative exponent without an inverse', 2, -1, 4);
power('power of modulus 1', 3, 0, 1);
power('power of modulus 0', 3, 2, 0);
power('power of 0 and 0', 0, 0, 7);
power('power of a negative base', -3, 3, 7);
power('power of a negative base and exponent', -3, -1, 7);
power('power of an even modulus', 3, 5, 10);
show('inverse that is missing', sub { Math::BigInt->new(2)->bmodinv(4) });
show('inverse of modulus 1', sub { Math::BigInt->new(3)->bmodinv(1) });
